#!/usr/bin/env bash
# llama-index-tools-mcp 0.6.0 with llama-index-core 0.14.25 and mcp 2.3.0 (PyPI), before a small MCP server over stdio.
# Behaviour: what the model is shown of a call is not the text but Python's notation of the whole result object: meta=None content=[TextContent(type='text',
# text='...')] and so on. So each line break of a text is \n in letters, quotes are escaped, and a picture is there as base64 text. A result
# that says isError is ToolOutput.is_error False; that it failed stands only in that notation.
# Seen:   lines: text='one\ntwo' in letters, is_error False / failed: is_error=True inside, ToolOutput.is_error False / picture: data='iVBO...' as text
# Expected by most: the text, a picture as a picture, and an error marked as one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llama-index-tools-mcp==0.6.0 llama-index-core==0.14.25 mcp==2.3.0
cat > server.py <<'PY'
import json
import sys

picture = {'type': 'image', 'mimeType': 'image/png', 'data': 'iVBORw0KGgo='}
results = {
    'lines': {'content': [{'type': 'text', 'text': 'one\ntwo'}]}, 'failed': {'content': [{'type': 'text', 'text': 'disk full'}], 'isError': True}, 'picture': {'content': [picture]},
}
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'error': {'code': -32601, 'message': 'unknown'}}
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
import sys
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main():
    for tool in await McpToolSpec(client=BasicMCPClient(sys.executable, args=['server.py'])).to_tool_list_async():
        output = await tool.acall()
        print(f'{tool.metadata.name}: {output.content} / ToolOutput.is_error {output.is_error}, blocks {[block.block_type for block in output.blocks]}')


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('llama-index-tools-mcp', 'llama-index-core', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
lines: meta=None content=[TextContent(type='text', text='one\ntwo', annotations=None, meta=None)] structured_content=None is_error=False result_type='complete' / ToolOutput.is_error False, blocks ['text']
failed: meta=None content=[TextContent(type='text', text='disk full', annotations=None, meta=None)] structured_content=None is_error=True result_type='complete' / ToolOutput.is_error False, blocks ['text']
picture: meta=None content=[ImageContent(type='image', data='iVBORw0KGgo=', mime_type='image/png', annotations=None, meta=None)] structured_content=None is_error=False result_type='complete' / ToolOutput.is_error False, blocks ['text']
END
