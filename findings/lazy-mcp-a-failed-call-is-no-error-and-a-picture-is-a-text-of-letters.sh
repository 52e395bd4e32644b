#!/usr/bin/env bash
# lazy-mcp 2.7.2 (PyPI), a proxy in front of a small MCP server; the same calls are also made without the proxy.
# Behaviour: invoke_command puts the whole result of the server into one text, as JSON. So a call that failed (isError) comes as a success, and a picture
# comes as a text of base64, which a model reads as words. Numbers above 2^53 change on the way there and back. list_commands gives only the first page of
# tools, though a tool of the second page can be called. The README says none of this; an error of the protocol is the only one that is marked.
# Seen:   pay: isError absent, one text with "isError": true in it / draw: blocks text / ids: 9007199254740992 / list_commands: pay, draw, ids
# Expected by most: isError true, an image block, 9007199254740993, and four tools.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check lazy-mcp==2.7.2
cat > server.py <<'PY'
import json
import sys

answers = {'pay': {'content': [{'type': 'text', 'text': 'account is empty'}], 'isError': True},
           'draw': {'content': [{'type': 'image', 'data': 'aGVsbG8=', 'mimeType': 'image/png'}]},
           'ids': {'content': [{'type': 'text', 'text': 'see data'}], 'structuredContent': {'id': 9007199254740993}},
           'later': {'content': [{'type': 'text', 'text': 'I am on page two'}]}}
tools = [{'name': name, 'inputSchema': {'type': 'object'}} for name in answers]
for line in sys.stdin:
    asked = json.loads(line)
    params = asked.get('params') or {}
    if 'id' not in asked:
        continue
    if asked['method'] == 'initialize':
        result = {'protocolVersion': params['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'shop', 'version': '1'}}
    elif asked['method'] == 'tools/list':
        result = {'tools': tools[3:]} if params.get('cursor') == 'two' else {'tools': tools[:3], 'nextCursor': 'two'}
    else:
        result = answers.get(params.get('name'), {})
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result}), flush=True)
PY
cat > client.py <<'PY'
import json
import subprocess
import sys

proxy = sys.argv[1] == 'proxy'
with subprocess.Popen(sys.argv[2:], stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True) as server:
    def ask(method, params):
        print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}), file=server.stdin, flush=True)
        return json.loads(server.stdout.readline())['result']
    ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}})
    if proxy:
        listed = ask('tools/call', {'name': 'list_commands', 'arguments': {'server': 'shop'}})['content'][0]['text']
        print('proxy list_commands:', ', '.join(one['name'] for one in json.loads(listed)))
    for name in ['pay', 'draw', 'ids', 'later']:
        params = {'name': 'invoke_command', 'arguments': {'server': 'shop', 'command_name': name}} if proxy else {'name': name, 'arguments': {}}
        result = ask('tools/call', params)
        parts = [one.get('text', one['type'] + ' block') for one in result['content']]
        print(sys.argv[1], f"{name}: isError {result.get('isError', 'absent')}, data {result.get('structuredContent', 'absent')}:", *parts)
    server.terminate()
PY
echo "lazy-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('lazy-mcp'))")"
echo "{\"servers\":[{\"name\":\"shop\",\"description\":\"Shop\",\"command\":[\"python3\",\"$dir/server.py\"]}]}" > servers.json
(python3 client.py direct python3 server.py; python3 client.py proxy env/bin/lazy-mcp --config servers.json) > raw; sed 's/^ *//' raw | tr -d '\n' | sed 's/\(proxy\|direct\)/\n\1/g' | tail -n +2 > out; echo >> out; cat out
diff <(grep ^proxy out) - <<'END'
proxy list_commands: pay, draw, ids
proxy pay: isError absent, data absent: {"content": [{"type": "text","text": "account is empty"}],"isError": true}
proxy draw: isError absent, data absent: {"content": [{"type": "image","data": "aGVsbG8=","mimeType": "image/png"}]}
proxy ids: isError absent, data absent: {"content": [{"type": "text","text": "see data"}],"structuredContent": {"id": 9007199254740992}}
proxy later: isError absent, data absent: {"content": [{"type": "text","text": "I am on page two"}]}
END
