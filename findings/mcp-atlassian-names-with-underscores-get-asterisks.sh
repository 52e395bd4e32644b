#!/usr/bin/env bash
# PyPI mcp-atlassian 0.23.1, the much used MCP server for Jira and Confluence, asked over stdio, before a small stand-in for Jira Data Center (which writes its texts in wiki markup).
# Behaviour: jira_get_issue turns the description into Markdown and takes two underscores within words for italics: MAX_RETRY_COUNT becomes MAX*RETRY*COUNT, in tables and quotes too, and
# 2*3*4 becomes 2**3**4. Such names are then searched for in the code, in vain. Once the text holds a tag or {color}, the asterisks are escaped too, and what stands in angle brackets is gone:
# List<String> is List. jira_search gives the same descriptions as they are, so the two tools of one server differ.
# Seen:   set MAX_RETRY_COUNT=5: set MAX*RETRY*COUNT=5 / List<String> of user_id_map: List of user\*id\*map / jira_search: as written
# Expected by most: names stay (Jira itself shows them so: an underscore within a word is no mark), and one text from both tools.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-atlassian==0.23.1
cat > run.py <<'PY'
import json
import os
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

texts = [
    'set MAX_RETRY_COUNT=5',
    '||key||value||\n|max_retry_count|5|',
    '2*3*4 = 24',
    'List<String> of user_id_map',
    '{color:red}Use{color} user_id_map',
    'open C:\\temp\\new_file_x',
    'use {{user_id_map}}',
    '*bold* and _italic_',
]


class Jira(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        issues = [{'id': str(n), 'key': f'PR-{n}', 'fields': {'summary': 's', 'description': text, 'status': {'name': 'Open'}}} for n, text in enumerate(texts, 1)]
        one = re.search(r'/issue/PR-(\d+)', self.path)
        answer = issues[int(one[1]) - 1] if one else {'startAt': 0, 'maxResults': 50, 'total': len(issues), 'issues': issues} if '/search' in self.path else []
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


jira = ThreadingHTTPServer(('127.0.0.1', 0), Jira)
threading.Thread(target=jira.serve_forever, daemon=True).start()
server = subprocess.Popen(
    ['env/bin/mcp-atlassian'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    env={**os.environ, 'JIRA_URL': f'http://127.0.0.1:{jira.server_port}', 'JIRA_PERSONAL_TOKEN': 'none'},
)
count = 0


def ask(method, params):
    global count
    count += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': count, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == count:
            return json.loads(line)['result']


def call(name, **values):
    return json.loads(ask('tools/call', {'name': name, 'arguments': values})['content'][0]['text'])


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
found = call('jira_search', jql='project = PR', limit=50)['issues']
for n, text in enumerate(texts, 1):
    print(f'{text!r}: {call("jira_get_issue", issue_key=f"PR-{n}")["description"]!r}, jira_search: {"as written" if found[n - 1]["description"] == text else found[n - 1]["description"]}')
server.kill()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('mcp-atlassian', m.version('mcp-atlassian'))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
'set MAX_RETRY_COUNT=5': 'set MAX*RETRY*COUNT=5', jira_search: as written
'||key||value||\n|max_retry_count|5|': '|key|value|\n|---|---|\n|max*retry*count|5|', jira_search: as written
'2*3*4 = 24': '2**3**4 = 24', jira_search: as written
'List<String> of user_id_map': 'List of user\\*id\\*map', jira_search: as written
'{color:red}Use{color} user_id_map': 'Use user\\*id\\*map', jira_search: as written
'open C:\\temp\\new_file_x': 'open C:\\temp\\new*file*x', jira_search: as written
'use {{user_id_map}}': 'use `user_id_map`', jira_search: as written
'*bold* and _italic_': '**bold** and *italic*', jira_search: as written
END
