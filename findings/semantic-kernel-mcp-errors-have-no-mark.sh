#!/usr/bin/env bash
# semantic-kernel 1.45.0 with mcp 1.30.0 (PyPI), MCPStdioPlugin before a small MCP server over stdio.
# Behaviour: a result that says isError is a text like any other, without a mark. Structured data without text is nothing at all, and one link makes the whole call an
# exception that says no more than "Failed to call tool". Of the schema all but properties and required is left out, so that a $ref points at
# nothing. A dot in the name of one tool, or a list of types for one parameter, and no tool of the server can be used.
# Seen:   failed: "disk full" / data: [] / link: FunctionExecutionException / node: {"$ref": "#/$defs/N"}, $defs: no / get.user: FunctionInitializationError
# Expected by most: an exception or a mark for what failed, and the text for a link; other tools are not touched by one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'semantic-kernel[mcp]==1.45.0' mcp==1.30.0
cat > server.py <<'PY'
import json
import sys

text = [{'type': 'text', 'text': 'found 3'}]
results = {
    'plain': {'content': text},
    'failed': {'content': [{'type': 'text', 'text': 'disk full'}], 'isError': True},
    'data': {'content': [], 'structuredContent': {'rows': [1]}},
    'link': {'content': text + [{'type': 'resource_link', 'name': 'a', 'uri': 'file:///a.txt'}]},
}
node = {'type': 'object', 'properties': {'value': {'type': 'integer'}}}
schemas = {name: {'type': 'object', 'properties': {}} for name in results}
schemas['plain'] = {'type': 'object', 'properties': {'node': {'$ref': '#/$defs/N'}}, '$defs': {'N': node}, 'additionalProperties': False}
if len(sys.argv) > 1:
    schemas[sys.argv[1]] = {'type': 'object', 'properties': {'x': json.loads(sys.argv[2])}}
for line in sys.stdin:
    message = json.loads(line)
    if 'id' not in message:
        continue
    if message['method'] == 'initialize':
        result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    elif message['method'] == 'tools/list':
        result = {'tools': [{'name': name, 'inputSchema': schema} for name, schema in schemas.items()]}
    else:
        result = results[message['params']['name']] if message['method'] == 'tools/call' else {}
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import json
import sys
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_calling_utils import kernel_function_metadata_to_function_call_format
from semantic_kernel.connectors.mcp import MCPStdioPlugin

for name in ('semantic-kernel', 'mcp'):
    print(name, importlib.metadata.version(name))


async def main():
    for more in ([], ['get_user', '{"type": "string"}'], ['get.user', '{"type": "string"}'], ['one', '{"type": ["string", "null"]}']):
        async with MCPStdioPlugin(name='s', command=sys.executable, args=['server.py', *more]) as plugin:
            kernel = Kernel()
            try:
                functions = kernel.add_plugin(plugin).functions
                print(' '.join(more) + ': ' + ', '.join(sorted(functions)))
            except Exception as error:
                print(' '.join(more) + ': ' + type(error).__name__)
                continue
            if more:
                continue
            print(json.dumps(kernel_function_metadata_to_function_call_format(functions['plain'].metadata)['function']['parameters']))
            for name in ('plain', 'failed', 'data', 'link'):
                try:
                    came = [str(part) for part in (await functions[name].invoke(kernel)).value]
                except Exception as error:
                    came = f'{type(error).__name__}: {error}'
                print(f'{name}: {came}')


asyncio.run(main())
PY
env/bin/python -W ignore run.py 2> errors | tee all || { cat errors; exit 1; }
tail -n +3 all > out
diff out - <<'END'
: data, failed, link, plain
{"type": "object", "properties": {"node": {"$ref": "#/$defs/N"}}, "required": []}
plain: ['found 3']
failed: ['disk full']
data: []
link: FunctionExecutionException: Failed to call tool 'link'.
get_user {"type": "string"}: data, failed, get_user, link, plain
get.user {"type": "string"}: FunctionInitializationError
one {"type": ["string", "null"]}: ValidationError
END
