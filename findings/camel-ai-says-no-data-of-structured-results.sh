#!/usr/bin/env bash
# camel-ai 0.2.90 with mcp 1.30.0 (PyPI; with mcp 2 it does not start), MCPToolkit before a small MCP server over stdio, and the call that its ChatAgent makes: tool.func.async_call.
# Behaviour: a result that has its data in structuredContent alone is for the model "No data available for this request.", and so is an error without text. Of several blocks the model gets the
# first: a second text, a link or a picture behind it is lost without a word. An error has no mark. An embedded text is "not fully supported yet". A tool with a parameter named `from`
# is left out of the list. Each parameter is required in the schema that the model gets: those with a default may then be null, those without (limit) may not. So the model must think of a limit.
# Seen:   {"rows": [1, 2, 3]}: "No data available for this request." / ONE, TWO: ONE / error "disk full": disk full / tools: no `mail`, which has `from` / limit: required, integer
# Expected by most: the data as JSON, all blocks, a mark for errors, and optional parameters that may be left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check camel-ai==0.2.90 mcp==1.30.0
cat > server.py <<'PY'
import json
import sys


def text(*texts):
    return [{'type': 'text', 'text': each} for each in texts]


link = {'type': 'resource_link', 'uri': 'file:///report.txt', 'name': 'report'}
embedded = {'type': 'resource', 'resource': {'uri': 'file:///n.txt', 'text': 'the text'}}
results = {'data': {'content': [], 'structuredContent': {'rows': [1, 2, 3]}}, 'both': {'content': text('3 rows'), 'structuredContent': {'rows': [1, 2, 3]}}, 'two': {'content': text('ONE', 'TWO')},
           'link': {'content': text('see') + [link]}, 'embedded': {'content': [embedded]}, 'failed': {'content': text('disk full'), 'isError': True}, 'failed_mute': {'content': [], 'isError': True}}
echo = {'q': {'type': 'string'}, 'limit': {'type': 'integer'}, 'sort': {'type': 'string', 'enum': ['asc', 'desc'], 'default': 'asc'}}
schemas = {'echo': {'type': 'object', 'properties': echo, 'required': ['q']}, 'mail': {'type': 'object', 'properties': {'from': {'type': 'string'}}}}
tools = [{'name': name, 'description': name, 'inputSchema': schemas.get(name, {'type': 'object', 'properties': {}})} for name in [*schemas, *results]]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    if request['method'] == 'tools/list':
        result = {'tools': tools}
    elif request['method'] == 'tools/call':
        result = results[request['params']['name']]
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import logging
import sys
import warnings

warnings.filterwarnings('ignore')
from camel.toolkits.mcp_toolkit import MCPToolkit

logging.disable(logging.CRITICAL)


async def main():
    toolkit = MCPToolkit(config_dict={'mcpServers': {'s': {'command': sys.executable, 'args': ['server.py']}}})
    await toolkit.connect()
    tools = {tool.get_function_name(): tool for tool in toolkit.get_tools()}
    print('tools:', *tools)
    parameters = tools['echo'].get_openai_tool_schema()['function']['parameters']
    print('required:', *parameters['required'])
    for name in ('limit', 'sort'):
        print(name + ':', json.dumps(parameters['properties'][name]))
    for name in tools:
        if name != 'echo':
            print(name + ':', await tools[name].func.async_call())
    await toolkit.disconnect()


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('camel-ai', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
tools: echo data both two link embedded failed failed_mute
required: q limit sort
limit: {"type": "integer"}
sort: {"type": ["string", "null"], "enum": ["asc", "desc"]}
data: No data available for this request.
both: 3 rows
two: ONE
link: see
embedded: Received content of type 'resource' which is not fully supported yet.
failed: disk full
failed_mute: No data available for this request.
END
