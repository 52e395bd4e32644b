#!/usr/bin/env bash
# agno 3.1.10 with fastmcp 4.2.3 and mcp 2.3.0 (PyPI), MCPTools before a small MCP server over stdio: the text that a model is shown of a call.
# Behaviour: a text is shown as it is, but a text of a result that says isError in Python's notation, with each line break as \n in letters and the quotes of JSON
# escaped. Of a link there is only "[Unsupported content type: resource_link]", not its address. For every picture, also a screenshot or a file that was
# read, the model reads that an image has been generated. Structured data is shown where there is no text, and dropped beside one.
# Seen:   failed: Error from MCP tool 'failed': [TextContent(type='text', text='line 1\nline 2', ...)] / picture: Image has been generated ...
# Expected by most: the text of the error, and the address of the link.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agno==3.1.10 fastmcp==4.2.3 mcp==2.3.0
cat > server.py <<'PY'
import json
import sys

text = {'type': 'text', 'text': 'line 1\nline 2'}
picture = {'type': 'image', 'mimeType': 'image/png', 'data': 'iVBORw0KGgo='}
resource = {'type': 'resource', 'resource': {'uri': 'file:///notes.txt', 'text': 'BODY'}}
results = {
    'text': {'content': [text]}, 'failed': {'content': [text], 'isError': True}, 'link': {'content': [{'type': 'resource_link', 'uri': 'file:///notes.txt', 'name': 'notes'}]},
    'resource': {'content': [resource]}, 'picture': {'content': [picture]}, 'data': {'content': [], 'structuredContent': {'id': 1}},
    'text_and_data': {'content': [text], 'structuredContent': {'id': 1}},
}
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'result': {}} if request['method'] == 'ping' else {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]}}
    elif request['method'] == 'tools/call':
        answer = {'result': results[request['params']['name']]}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
from agno.tools.mcp import MCPTools


async def main():
    async with MCPTools(command='python3 server.py') as tools:
        for name, function in tools.functions.items():
            print('shown', name + ':', repr((await function.entrypoint()).content))


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('agno', 'fastmcp', 'mcp')))"
env/bin/python run.py 2>&1 | tee log | grep '^shown ' | tee out || { cat log; exit 1; }
diff out - <<'END'
shown text: 'line 1\nline 2'
shown failed: "Error from MCP tool 'failed': [TextContent(type='text', text='line 1\\nline 2', annotations=None, meta=None)]"
shown link: '[Unsupported content type: resource_link]'
shown resource: '[Embedded resource: {"uri":"file:///notes.txt","mimeType":null,"_meta":null,"text":"BODY"}]'
shown picture: 'Image has been generated and added to the response.'
shown data: '{"id": 1}'
shown text_and_data: 'line 1\nline 2'
END
