#!/usr/bin/env bash
# ultra-lean-mcp-proxy 0.3.2 (PyPI), with its default settings, in front of a small MCP server with a list of tasks and a counter of mails; the same calls
# are also made without the proxy.
# Behaviour: the proxy, which calls itself a transparent relay, keeps the answer of any tool for five minutes unless a word such as "create" or "set" is in
# its name. add_task, send_mail, book_room and the like have no such word: a second equal call never reaches the server and gets the first answer, and a
# list that was read once stays as it was after something was added. The README names a cache, but not that calls which change something are kept.
# Seen:   list [], add "added, now 1", list [], add "added, now 1", two mails "sent mail 1" and "sent mail 1"; the server got 3 of 6 calls and 1 mail
# Expected by most: 6 calls, two mails, and the added task in the list.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'ultra-lean-mcp-proxy[proxy]==0.3.2'
cat > server.py <<'PY'
import json
import sys

tasks, mails, calls = [], 0, 0
for line in sys.stdin:
    asked = json.loads(line)
    params = asked.get('params') or {}
    if 'id' not in asked:
        continue
    if asked['method'] == 'initialize':
        result = {'protocolVersion': params['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'tasks', 'version': '1'}}
    elif asked['method'] == 'tools/list':
        result = {'tools': [{'name': name, 'inputSchema': {'type': 'object'}} for name in ('list_tasks', 'add_task', 'send_mail')]}
    else:
        calls += 1
        if params['name'] == 'add_task':
            tasks.append(params['arguments']['title'])
            text = f'added, now {len(tasks)}'
        elif params['name'] == 'send_mail':
            mails += 1
            text = f'sent mail {mails}'
        else:
            text = json.dumps(tasks)
        result = {'content': [{'type': 'text', 'text': text}]}
        open(sys.argv[1], 'w').write(f'{calls} calls and {mails} mails reached the server')
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result}), flush=True)
PY
cat > client.py <<'PY'
import json
import subprocess
import sys


def run(name, command):
    with subprocess.Popen([*command, sys.executable, 'server.py', name], stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True) as server:
        def ask(number, method, params):
            print(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}), file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())['result']
        ask(0, 'initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}})
        mail = ('send_mail', {'to': 'all', 'text': 'Reminder'})
        add = ('add_task', {'title': 'milk'})
        for number, (tool, given) in enumerate([('list_tasks', {}), add, ('list_tasks', {}), add, mail, mail], 1):
            print(f"{name}: {tool}: {ask(number, 'tools/call', {'name': tool, 'arguments': given})['content'][0]['text']}")
        print(f'{name}: {open(name).read()}')
        server.terminate()


run('direct', [])
run('proxy', ['env/bin/ultra-lean-mcp-proxy', 'proxy', '--'])
PY
echo "ultra-lean-mcp-proxy $(env/bin/python -c "import importlib.metadata as m; print(m.version('ultra-lean-mcp-proxy'))")"
env/bin/python client.py | tee out
grep proxy: out | diff - <(printf 'proxy: %s\n' 'list_tasks: []' 'add_task: added, now 1' 'list_tasks: []' 'add_task: added, now 1' \
    'send_mail: sent mail 1' 'send_mail: sent mail 1' '3 calls and 1 mails reached the server')
grep -qx 'direct: 6 calls and 2 mails reached the server' out
