#!/usr/bin/env bash
# mcp-use 1.7.1 with langchain 1.5.2 and mcp 1.30.0 (PyPI): its tools for LangChain (LangChainAdapter), before a small MCP server over stdio.
# Behaviour: each optional parameter that the model leaves out IS sent to the server, as null, which the server's schema does not allow. An integer in a "number" becomes a float. The
# model does not see parameters whose names are no names of Python, such as user-id or class, not even where the server requires them, and it sees no
# choices (enum, const), bounds or formats. A result that failed is a dictionary with the stack of Python in it, a link is Python's notation, and
# structured data without text are an empty text.
# Seen:   {"a": "x"}: the server gets {"a": "x", "n": null, "o": null} / user-id, class: not there / enum: string / failed: a dictionary with 'stack' / data: ''
# Expected by most: the server gets the arguments that the model gave, and the model the parameters that the server has.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-use==1.7.1 langchain==1.5.2 mcp==1.30.0
cat > server.py <<'PY'
import json
import sys

properties = {
    'a': {'type': 'string'}, 'n': {'type': 'number', 'minimum': 1}, 'o': {'type': 'object', 'additionalProperties': {'type': 'integer'}},
}
shown = {
    'sort': {'type': 'string', 'enum': ['asc', 'desc']}, 'mode': {'const': 'fast'}, 'limit': {'type': 'integer', 'minimum': 1, 'maximum': 5}, 'user-id': {'type': 'string'}, 'class': {'type': 'string'},
    'day': {'type': 'string', 'format': 'date', 'pattern': '^2'},
}
text = {'type': 'text', 'text': 'line 1\nline 2'}
results = {
    'two': {'content': [text, text]}, 'failed': {'content': [text], 'isError': True}, 'link': {'content': [{'type': 'resource_link', 'uri': 'file:///notes.txt', 'name': 'notes'}]},
    'data': {'content': [], 'structuredContent': {'id': 1}},
}
tools = [{'name': 'find', 'description': 'Finds.', 'inputSchema': {'type': 'object', 'properties': shown, 'required': ['day', 'user-id', 'sort']}},
         {'name': 'echo', 'description': 'Echoes.', 'inputSchema': {'type': 'object', 'properties': properties, 'required': ['a']}}]
tools += [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'result': {}} if request['method'] == 'ping' else {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        answer = {'result': {'tools': tools}}
    elif request['method'] == 'tools/call':
        name, arguments = request['params']['name'], request['params'].get('arguments')
        answer = {'result': results.get(name) or {'content': [{'type': 'text', 'text': 'the server got ' + json.dumps(arguments)}]}}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import sys
from langchain_core.utils.function_calling import convert_to_openai_tool
from mcp_use import MCPClient
from mcp_use.agents.adapters import LangChainAdapter


async def main():
    client = MCPClient.from_dict({'mcpServers': {'s': {'command': sys.executable, 'args': ['server.py']}}})
    adapter = LangChainAdapter()
    tools = {tool.name: tool for tool in await adapter.create_tools(client)}
    shown = convert_to_openai_tool(tools['find'])['function']['parameters']
    for name, schema in shown['properties'].items():
        print('shown find', name + ':', json.dumps(schema))
    print('shown find required:', shown['required'])
    for arguments in ({'a': 'x'}, {'a': 'x', 'n': 9007199254740993}):
        print('shown echo', json.dumps(arguments) + ':', await tools['echo'].ainvoke(arguments))
    for name in ('two', 'failed', 'link', 'data'):
        result = await tools[name].ainvoke({})
        print(f'shown {name}:', type(result).__name__, sorted(result) if isinstance(result, dict) else repr(result))
        if isinstance(result, dict):
            print('shown stack:', result['stack'].splitlines()[0])
    await client.close_all_sessions()


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('mcp-use', 'langchain', 'mcp')))"
HOME=$dir MCP_USE_ANONYMIZED_TELEMETRY=false env/bin/python run.py 2>&1 | tee log | grep '^shown ' | tee out || { cat log; exit 1; }
diff out - <<'END'
shown find sort: {"type": "string"}
shown find mode: {"anyOf": [{}, {"type": "null"}], "default": null}
shown find limit: {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}
shown find day: {"type": "string"}
shown find required: ['sort', 'day']
shown echo {"a": "x"}: the server got {"a": "x", "n": null, "o": null}
shown echo {"a": "x", "n": 9007199254740993}: the server got {"a": "x", "n": 9007199254740992.0, "o": null}
shown two: str 'line 1\nline 2\nline 1\nline 2'
shown failed: dict ['code', 'details', 'error', 'stack', 'tool', 'tool_content']
shown stack: Traceback (most recent call last):
shown link: str "name='notes' title=None uri=AnyUrl('file:///notes.txt') description=None mimeType=None size=None icons=None annotations=None meta=None type='resource_link'"
shown data: str ''
END
