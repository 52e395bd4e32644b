#!/usr/bin/env bash
# mcp-feed-reader-crunchtools 0.5.0 (PyPI), an MCP server that keeps feeds in SQLite, with fastmcp 4.2.3, mcp 2.3.0 and feedparser 6.0.14 (PyPI), over stdio; the feed comes from a server on loopback.
# Behaviour: an item that is known (by its guid) is never written again. When the feed corrects its title, text or link, refresh says "0 new entries", and reading and searching give the first text for ever.
# published_before is told as an inclusive bound that takes a date. A date is its first second: "2026-11-30" leaves out what came on the 30th, and one day from published_after to published_before is an empty answer with no content at all.
# Seen:   after the correction: "5 killed" still, a search for "hurt" finds nothing; from 2026-11-30 to 2026-11-30: no entry of the two of that day
# Expected by most: the corrected text; the entries of the day.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-feed-reader-crunchtools==0.5.0 fastmcp==4.2.3 mcp==2.3.0 feedparser==6.0.14
cat > client.py <<'PY'
import json
import os
import subprocess


class Server:
    def __init__(self, *command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, HOME=os.getcwd()))
        self.number = 0
        self.request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'finding', 'version': '1'})
        self.write({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + '\n')
        self.process.stdin.flush()

    def request(self, method, **params):
        self.number += 1
        self.write({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get('id') == self.number:
                return message['result']

    def call(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.request('tools/call', name=tool, arguments=arguments)['content'])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
PY
cat > run.py <<'PY'
import http.server
import importlib.metadata
import json
import os
import threading
from client import Server

ITEM = '<item><title>{}</title><link>http://news.example/{}</link><guid isPermaLink="false">{}</guid><description>{}</description><pubDate>{}</pubDate></item>'
crash = ['Crash', 'a', 'a', '5 killed', 'Mon, 30 Nov 2026 08:00:00 GMT']
fair = ['Fair', 'b', 'b', 'Open till six', 'Mon, 30 Nov 2026 22:00:00 GMT']
rain = ['Rain', 'c', 'c', 'All day', 'Sun, 29 Nov 2026 10:00:00 GMT']


class Feed(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        items = ''.join(ITEM.format(*item) for item in (crash, fair, rain))
        self.send_response(200)
        self.send_header('Content-Type', 'application/rss+xml')
        self.end_headers()
        self.wfile.write(f'<rss version="2.0"><channel><title>News</title><link>http://news.example</link><description>d</description>{items}</channel></rss>'.encode())

    def log_message(self, *_):
        pass


web = http.server.HTTPServer(('127.0.0.1', 0), Feed)
threading.Thread(target=web.serve_forever, daemon=True).start()
print('mcp-feed-reader-crunchtools', importlib.metadata.version('mcp-feed-reader-crunchtools'))
server = Server(os.path.abspath('env/bin/mcp-feed-reader-crunchtools'))
server.call('add_feed_tool', url=f'http://127.0.0.1:{web.server_port}/feed.xml')


def entries(tool, **arguments):
    found = []
    for block in server.request('tools/call', name=tool, arguments=arguments)['content']:
        value = json.loads(block['text'])
        found += value if isinstance(value, list) else [value]
    return {entry['title']: entry['id'] for entry in found}


everything = entries('list_entries_tool')
print('all:', list(everything))
for after, before in [('2026-11-30', '2026-11-30'), ('2026-11-29', '2026-11-30'), ('2026-11-30', '2026-12-01')]:
    print('from', after, 'to', before + ':', list(entries('list_entries_tool', published_after=after, published_before=before)))
crash[:4] = ['Crash (corrected)', 'a2', 'a', 'Nobody was hurt']
print(server.call('refresh_feeds_tool'))
entry = json.loads(server.call('read_entry_tool', entry_id=everything['Crash']))
print('after the correction:', entry['title'], '/', entry['content'], '/', entry['url'])
print('search hurt:', list(entries('search_entries_tool', query='hurt')), 'search killed:', list(entries('search_entries_tool', query='killed')))
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
mcp-feed-reader-crunchtools 0.5.0
all: ['Fair', 'Crash', 'Rain']
from 2026-11-30 to 2026-11-30: []
from 2026-11-29 to 2026-11-30: ['Rain']
from 2026-11-30 to 2026-12-01: ['Fair', 'Crash']
Fetched 1 feed(s): 0 new entries
after the correction: Crash / 5 killed / http://news.example/a
search hurt: [] search killed: ['Crash']
END
