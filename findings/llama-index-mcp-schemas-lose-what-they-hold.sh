#!/usr/bin/env bash
# llama-index-tools-mcp 0.6.0 with llama-index-core 0.14.25 and mcp 2.3.0 (PyPI), before a small MCP server over stdio.
# Behaviour: a tool's schema is made into a model of pydantic and back, and what the model is shown lacks what that knows nothing of: minimum, maximum, pattern,
# format and const; the members of an object and of the objects in a list are gone altogether, only "object" is left. Every optional parameter
# may be null, which the server does not allow. A parameter that begins with an underscore ends the list of ALL tools with an exception.
# Seen:   limit 1 to 5: {"type":"integer"} / filter with members: object of anything, or null / one tool with _meta: PydanticUserError, no tools
# Expected by most: the schema that the server sent, and one odd tool left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llama-index-tools-mcp==0.6.0 llama-index-core==0.14.25 mcp==2.3.0
cat > server.py <<'PY'
import json
import sys

record = {'type': 'object', 'properties': {'field': {'type': 'string'}, 'value': {'type': 'number'}}, 'required': ['field']}
properties = {
    'limit': {'type': 'integer', 'minimum': 1, 'maximum': 5}, 'day': {'type': 'string', 'format': 'date', 'pattern': '^2'}, 'filter': record, 'rows': {'type': 'array', 'items': record},
    'mode': {'const': 'fast'}, 'sort': {'type': 'string', 'enum': ['asc', 'desc']},
}
tools = [{'name': 'find', 'inputSchema': {'type': 'object', 'properties': properties, 'required': ['limit', 'day']}}]
if len(sys.argv) > 1:
    tools.append({'name': 'other', 'inputSchema': {'type': 'object', 'properties': {sys.argv[1]: {'type': 'string'}}}})
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        answer = {'result': {'tools': tools}}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import sys
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main():
    tool = (await McpToolSpec(client=BasicMCPClient(sys.executable, args=['server.py'])).to_tool_list_async())[0]
    for name, schema in tool.metadata.get_parameters_dict()['properties'].items():
        print(name + ': ' + json.dumps({key: value for key, value in schema.items() if key not in ('title', 'description')}))
    for name in ('meta', '_meta'):
        try:
            print(name + ':', len(await McpToolSpec(client=BasicMCPClient(sys.executable, args=['server.py', name])).to_tool_list_async()), 'tools')
        except Exception as error:
            print(name + ':', type(error).__name__)


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('llama-index-tools-mcp', 'llama-index-core', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
limit: {"type": "integer"}
day: {"type": "string"}
filter: {"anyOf": [{"additionalProperties": true, "type": "object"}, {"type": "null"}], "default": null}
rows: {"anyOf": [{"items": {"additionalProperties": true, "type": "object"}, "type": "array"}, {"type": "null"}], "default": null}
mode: {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}
sort: {"anyOf": [{"enum": ["asc", "desc"], "type": "string"}, {"type": "null"}], "default": null}
meta: 2 tools
_meta: PydanticUserError
END
