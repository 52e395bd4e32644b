#!/usr/bin/env bash
# slipbox-mcp 1.5.4 (PyPI), a Zettelkasten as an MCP server, with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: what a note's own text has under a heading "## Links" is taken out when the note is created, to the next heading of its level. The answer is "Note created successfully". Addresses and sentences there are in no file.
# In a code fence it is the same: the line and all behind it go, the closing fence too, so that what follows is code. The words are found by the search until the index is rebuilt, though the note has them not. "### Links" stays.
# Seen:   "Useful pages." alone of a list of two addresses; a search for example.org finds the note before the rebuild and not after it
# Expected by most: the text as it was given, or a refusal.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check slipbox-mcp==1.5.4 mcp==1.30.0
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
import importlib.metadata
import os
import re
from client import Server

print('slipbox-mcp', importlib.metadata.version('slipbox-mcp'))
server = Server(os.path.abspath('env/bin/slipbox-mcp'))


def note(title, content):
    answer = server.call('slipbox_create_note', title=title, content=content)
    number = re.search(r'\d{8}T\d+', answer).group()
    print(answer.replace(number, 'N'))
    text = server.call('slipbox_get_note', identifier=number)
    print('  kept:', repr(text.split('\n\n', 1)[1]))


def search(when):
    print(when + ':', server.call('slipbox_search_notes', query='example.org').splitlines()[0])


note('Pages', 'Useful pages.\n\n## Links\n\n- https://example.org/a\n- https://example.org/b\n\nAsk Ann before use.')
note('Template', 'Begin with:\n\n```md\n## Links\n- one\n```\n\nThen write.\n\n## Sources\n\nA book.')
note('Third level', 'Text.\n\n### Links\n\n- kept')
search('before the rebuild')
server.call('slipbox_rebuild_index')
search('after the rebuild')
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
slipbox-mcp 1.5.4
Note created successfully with ID: N
  kept: '# Pages\n\nUseful pages.\n'
Note created successfully with ID: N
  kept: '# Template\n\nBegin with:\n\n```md\n## Sources\n\nA book.\n'
Note created successfully with ID: N
  kept: '# Third level\n\nText.\n\n### Links\n\n- kept\n'
before the rebuild: Found 1 matching notes:
after the rebuild: No matching notes found.
END
