#!/usr/bin/env bash
# toolcall-cache 0.4.0 (PyPI), a cache between an MCP client and a server, its fuzzy mode with the default threshold (0.85), over stdio.
# Behaviour: fuzzy mode compares the whole text of the arguments, letter by letter. Arguments that differ in one figure are nearly equal by that measure, so the order 1002 gets the answer of order 1001, the report of
# 30 November that of the 29th, and a query of 2026 the figures of 2025. The README says that numbers are "left unchanged", and that a mistake costs a miss, "never a stale or wrong answer". Longer arguments are alike sooner.
# Only a mark in _meta tells that the answer belongs to another question; models do not see _meta.
# Seen:   get_order 1001: "order 1001" / get_order 1002: "order 1001" / {"id": 1} and {"id": 2}: match
# Expected by most: blanks, letter case and the order of keys do not matter; another id is another question.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check toolcall-cache==0.4.0
cat > peer.py <<'PY'
import json
import os
import subprocess


def connect(*command, **env):
    child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, 'HOME': os.getcwd(), **env})

    def ask(method, **params):
        first = '' if method != 'tools/call' else json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'
        print(first + json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}), file=child.stdin, flush=True)
        while not ((line := next(child.stdout)).startswith('{') and 'result' in line and (reply := json.loads(line)).get('id') == 7):
            pass
        return reply['result']

    ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'peer', 'version': '1'})
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in ask('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > shop.py <<'PY'
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if 'id' in message:
        given = message['params'].get('arguments')
        result = {'content': [{'type': 'text', 'text': f'answer to {json.dumps(given)}'}]} if given else {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'shop', 'version': '1'}}
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
from peer import connect

call = connect('env/bin/toolcall-cache', 'start', '--transport', 'stdio', '--upstream', 'python3 shop.py', '--allowlist', 'get_order,run_sql', '--fuzzy')
for tool, given in [('get_order', {'id': 1001}), ('get_order', {'id': 1002}), ('run_sql', {'sql': 'select sum(price) from orders where year = 2025'}), ('run_sql', {'sql': 'select sum(price) from orders where year = 2026'})]:
    print(tool, given, '=>', call(tool, **given))
PY
echo "toolcall-cache $(env/bin/python -c "import importlib.metadata as m; print(m.version('toolcall-cache'))")"
(python3 run.py; env/bin/toolcall-cache fuzzy-test get '{"id": 1}' '{"id": 2}') | tee out
diff out - <<'END'
get_order {'id': 1001} => answer to {"id": 1001}
get_order {'id': 1002} => answer to {"id": 1001}
run_sql {'sql': 'select sum(price) from orders where year = 2025'} => answer to {"sql": "select sum(price) from orders where year = 2025"}
run_sql {'sql': 'select sum(price) from orders where year = 2026'} => answer to {"sql": "select sum(price) from orders where year = 2025"}
tool: get
threshold: 0.85
similarity: 0.94
match: yes
END
