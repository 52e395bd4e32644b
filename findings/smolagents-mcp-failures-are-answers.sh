#!/usr/bin/env bash
# smolagents 1.26.0 with mcpadapt 0.1.19 and mcp 1.30.0 (PyPI), MCPClient before a small MCP server over stdio, structured_output on and off.
# Behaviour: a result that says isError is a string like any other: no exception, no mark, so the agent's program goes on with the error text as the data. With
# structured_output an error with details is a plain dictionary. Of several blocks the first alone is there. A result without any block is the opposite, a
# ValueError, though the call went well. A text that can be read as JSON is read: "null" is None. A dot in a tool's name is left out.
# Seen:   failed: 'disk full' / details: {'code': 7} / two: 'ONE' / empty: ValueError / null: None / get.user: getuser
# Expected by most: an exception for an error, and both blocks; an empty result is empty.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check smolagents==1.26.0 mcpadapt==0.1.19 'mcp[ws]==1.30.0'
cat > server.py <<'PY'
import json
import sys


def text(*texts):
    return [{'type': 'text', 'text': each} for each in texts]


results = {
    'failed': {'content': text('disk full'), 'isError': True}, 'details': {'content': text('disk full'), 'structuredContent': {'code': 7}, 'isError': True},
    'two': {'content': text('ONE', 'TWO')}, 'empty': {'content': []}, 'null': {'content': text('null')}, 'get.user': {'content': text('user')},
}
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    if request['method'] == 'tools/list':
        result = {'tools': [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]}
    elif request['method'] == 'tools/call':
        result = results[request['params']['name']]
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import sys
from mcp import StdioServerParameters
from smolagents import MCPClient

for structured in (False, True):
    client = MCPClient(StdioServerParameters(command=sys.executable, args=['server.py']), structured_output=structured)
    for tool in client.get_tools():
        try:
            print(structured, tool.name + ':', repr(tool()))
        except ValueError:
            print(structured, tool.name + ': ValueError')
    client.disconnect()
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('smolagents', 'mcpadapt', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
False failed: 'disk full'
False details: 'disk full'
False two: 'ONE'
False empty: ValueError
False null: 'null'
False getuser: 'user'
True failed: 'disk full'
True details: {'code': 7}
True two: 'ONE'
True empty: ValueError
True null: None
True getuser: 'user'
END
