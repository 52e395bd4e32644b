#!/usr/bin/env bash
# autogen-ext 0.7.5 with mcp 1.30.0 (PyPI), AutoGen's tools of an MCP server over stdio: mcp_server_tools and McpWorkbench.
# Behaviour: mcp_server_tools makes a class of each tool's schema, and where one parameter has a list of types, no type, or a const alone, all tools of the server are
# an error. A list whose items are free becomes a list of texts, so that objects in it are refused before the call; 2 becomes 2.0, and a
# misspelt argument is dropped. McpWorkbench keeps schemas, but a link in a result makes an error of the whole, without the text that stood beside it.
# Seen:   type ["string","null"]: TypeError, no tools / rows of objects: ValidationError / {"n": 2, "typo": 1}: the server gets {"n": 2.0}
#         workbench, text and link: is_error, "Unknown content type from server: <class 'mcp.types.ResourceLink'>"
# Expected by most: the schema as the server gives it, and the text of a result that has one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'autogen-ext[mcp]==0.7.5' mcp==1.30.0
cat > server.py <<'PY'
import json
import sys

one = json.loads(sys.argv[1])
schemas = {
    'echo': {'rows': {'type': 'array'}, 'n': {'type': 'number'}, 'm': {'anyOf': [{'type': 'string'}, {'type': 'null'}]}},
    'link': {},
    'one': {'x': one},
}
for line in sys.stdin:
    message = json.loads(line)
    if 'id' not in message:
        continue
    if message['method'] == 'initialize':
        result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    elif message['method'] == 'tools/list':
        result = {'tools': [{'name': name, 'inputSchema': {'type': 'object', 'properties': members}} for name, members in schemas.items()]}
    elif message['params']['name'] == 'link':
        result = {'content': [{'type': 'text', 'text': 'found 3'}, {'type': 'resource_link', 'name': 'a', 'uri': 'file:///a.txt'}]}
    else:
        result = {'content': [{'type': 'text', 'text': json.dumps(message['params']['arguments'])}]}
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import json
import sys
from autogen_core import CancellationToken
from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams, mcp_server_tools

for name in ('autogen-ext', 'mcp'):
    print(name, importlib.metadata.version(name))


def server(one):
    return StdioServerParams(command=sys.executable, args=['server.py', json.dumps(one)])


async def main():
    for one in ({'type': 'string'}, {'type': ['string', 'null']}, {'description': 'what to look for'}, {'const': 'a'}):
        try:
            said = ', '.join(tool.name for tool in await mcp_server_tools(server(one)))
        except Exception as error:
            said = type(error).__name__
        print(f'x {json.dumps(one)}: {said}')
    tools = {tool.name: tool for tool in await mcp_server_tools(server({'type': 'string'}))}
    for args in ({'rows': ['a']}, {'rows': [{'id': 1}]}, {'n': 2, 'm': None, 'typo': 1}):
        try:
            said = tools['echo'].return_value_as_string(await tools['echo'].run_json(args, CancellationToken()))
        except Exception as error:
            said = type(error).__name__
        print(f'echo {json.dumps(args)}: {said}')
    async with McpWorkbench(server({'type': 'string'})) as workbench:
        result = await workbench.call_tool('link', {})
        print('workbench link:', result.is_error, repr(result.to_text().strip()))


asyncio.run(main())
PY
env/bin/python -W ignore run.py 2> errors | tee all || { cat errors; exit 1; }
tail -n +3 all > out
diff out - <<'END'
x {"type": "string"}: echo, link, one
x {"type": ["string", "null"]}: TypeError
x {"description": "what to look for"}: UnsupportedKeywordError
x {"const": "a"}: UnsupportedKeywordError
echo {"rows": ["a"]}: [{"type": "text", "text": "{\"rows\": [\"a\"]}", "annotations": null}]
echo {"rows": [{"id": 1}]}: ValidationError
echo {"n": 2, "m": null, "typo": 1}: [{"type": "text", "text": "{\"n\": 2.0, \"m\": null}", "annotations": null}]
workbench link: True "Unknown content type from server: <class 'mcp.types.ResourceLink'>"
END
