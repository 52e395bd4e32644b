#!/usr/bin/env bash
# mcp 2.3.0 (MCPServer) and fastmcp 4.2.3 (FastMCP, by function and by OpenAPI document), all PyPI, with one and the same call: an optional argument
# under a name that the tool does not have.
# Behaviour: MCPServer drops it and runs with the default, without a word. FastMCP refuses it for a Python function. The same FastMCP drops it for a
# tool that comes from an OpenAPI document: `items` where the document has a body of an array sends the request without any body, and
# says success. Only the schema of the function in FastMCP says additionalProperties false; the other two say nothing of it.
# Seen:   mcp: success, limit 10 / fastmcp function: error, Unexpected keyword argument / fastmcp openapi: success, sent ''
# Expected by most: one rule; an error, as a model can mend that.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp==2.3.0 fastmcp==4.2.3
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import fastmcp
import httpx2
import mcp
from mcp.server import MCPServer

print(*(name + ' ' + importlib.metadata.version(name) for name in ('mcp', 'fastmcp')))
sent = []
document = {
    'openapi': '3.1.0',
    'info': {'title': 'list', 'version': '1'},
    'paths': {'/list': {'post': {
        'operationId': 'show',
        'requestBody': {'content': {'application/json': {'schema': {'type': 'array', 'items': {'type': 'integer'}}}}},
        'responses': {'200': {'description': 'done'}},
    }}},
}


def answer(request):
    sent.append(request.content.decode())
    return httpx2.Response(200, text='done')


def show(limit: int = 10) -> str:
    return f'limit {limit}'


async def main():
    plain, fast = MCPServer('a'), fastmcp.FastMCP('b')
    plain.tool()(show)
    fast.tool()(show)
    web = httpx2.AsyncClient(transport=httpx2.MockTransport(answer), base_url='http://x.example')
    described = fastmcp.FastMCP.from_openapi(document, client=web)
    for name, client, arguments in (
        ('mcp', mcp.Client(plain), {'limits': 5}),
        ('fastmcp function', fastmcp.Client(fast), {'limits': 5}),
        ('fastmcp openapi', fastmcp.Client(described), {'items': [1]}),
    ):
        async with client:
            options = {} if name == 'mcp' else {'raise_on_error': False}
            tools = await client.list_tools()
            tool = (tools.tools if name == 'mcp' else tools)[0]
            result = await client.call_tool('show', arguments, **options)
            text = result.content[0].text
            told = 'Unexpected keyword argument' if 'Unexpected keyword argument' in text else text
            print(f"{name}: {'error' if result.is_error else 'success'}, {told}, {tool.input_schema.get('additionalProperties')}")
    print('sent', sent)


asyncio.run(main())
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
mcp: success, limit 10, None
fastmcp function: error, Unexpected keyword argument, False
fastmcp openapi: success, done, None
sent ['']
END
)
