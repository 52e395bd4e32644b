#!/usr/bin/env bash
# qwen-agent 0.0.34 with mcp 1.30.0 (PyPI): MCPManager, the way of its agents to MCP servers, before a small MCP server over stdio.
# Behaviour: a call that went well and has no text (structured data alone, a picture alone, nothing found) is shown to the model as the words "execute error". A call that failed is shown as its text, without any
# mark, like a result. Blocks that are no text are left out beside one. $defs are cut off the schema, so that each $ref in it leads nowhere. A tool's name gets the server's name before it, with a hyphen.
# Seen:   {"structuredContent": {"id": 1}}: 'execute error' / a picture: 'execute error' / isError "disk 7 is full": 'disk 7 is full' / parameters: {"$ref": "#/$defs/Where"} without $defs
# Most would guess: the other way round: JSON for the data, and a mark on what failed.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check qwen-agent==0.0.34 mcp==1.30.0 numpy==2.4.6 pillow==13.0.0 python-dateutil==4.0.0 soundfile==0.14.0 tqdm==4.70.1
cat > server.py <<'PY'
import json
import sys


def text(*texts):
    return [{'type': 'text', 'text': each} for each in texts]


results = {
    'words': {'content': text('line 1\nline 2')}, 'two': {'content': text('ONE', 'TWO')}, 'failed': {'content': text('disk 7 is full'), 'isError': True}, 'data': {'content': [], 'structuredContent': {'id': 1}},
    'picture': {'content': [{'type': 'image', 'data': 'iVBORw0KGgo=', 'mimeType': 'image/png'}]}, 'nothing': {'content': []},
    'link': {'content': text('see') + [{'type': 'resource_link', 'uri': 'file:///n.txt', 'name': 'n'}]}, 'both': {'content': text('2 rows'), 'structuredContent': {'rows': [1, 2]}},
}
properties = {'a': {'type': 'string'}, 'where': {'$ref': '#/$defs/Where'}}
tools = [{'name': 'echo', 'description': 'Echoes.', 'inputSchema': {'type': 'object', 'properties': properties, 'required': ['a'], '$defs': {'Where': {'type': 'object', 'properties': {'tenant': {'type': 'string'}}}}}}]
tools += [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request or 'method' not in request:
        continue
    result = {}
    if request['method'] == 'initialize':
        result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    elif request['method'] == 'tools/list':
        result = {'tools': tools}
    elif request['method'] == 'tools/call':
        result = results.get(request['params']['name']) or {'content': text('the server got ' + json.dumps(request['params'].get('arguments')))}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import json
import os
import sys
from qwen_agent.tools.mcp_manager import MCPManager

for tool in MCPManager().initConfig({'mcpServers': {'s': {'command': sys.executable, 'args': ['server.py']}}}):
    if tool.name == 's-echo':
        print('shown', tool.name + ':', json.dumps(tool.function['parameters']))
    else:
        print('shown', tool.name + ':', repr(tool.call('{}')))
sys.stdout.flush()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('qwen-agent', 'mcp')))"
env/bin/python run.py 2> log | grep '^shown ' | tee out || { cat log; exit 1; }
diff out - <<'END'
shown s-echo: {"type": "object", "properties": {"a": {"type": "string"}, "where": {"$ref": "#/$defs/Where"}}, "required": ["a"]}
shown s-words: 'line 1\nline 2'
shown s-two: 'ONE\n\nTWO'
shown s-failed: 'disk 7 is full'
shown s-data: 'execute error'
shown s-picture: 'execute error'
shown s-nothing: 'execute error'
shown s-link: 'see'
shown s-both: '2 rows'
END
