#!/usr/bin/env bash
# utcp-mcp 1.2.0 with utcp 1.2.0 and mcp 1.30.0 (PyPI): a UtcpClient with an MCP server as a manual call template; a small server of this script over stdio.
# Behaviour: as soon as one tool of the server has no outputSchema, which MCP leaves open and most servers leave out, no tool at all is found: the client is made without an error, and search_tools gives [].
# Only the log says something ("outputs: Input should be a valid dictionary"). If all have one, the structured content is given and the texts are left out.
# Seen:   outputSchema for 3 of 3 tools: 3 found / for 2 of 3: none / for none: none
# Expected by most: all three.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check utcp-mcp==1.2.0 utcp==1.2.0 mcp==1.30.0
cat > server.py <<'PY'
import json, sys

output = {'outputSchema': {'type': 'object', 'properties': {'euros': {'type': 'number'}}}}
tools = [{'name': name, 'description': f'{name} of an item', 'inputSchema': {'type': 'object', 'properties': {'item': {'type': 'string'}}}, **(output if name in sys.argv else {})} for name in ('price', 'cost', 'value')]
for line in sys.stdin:
    asked = json.loads(line)
    if 'id' not in asked:
        continue
    answers = {'initialize': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}, 'tools/list': {'tools': tools}}
    result = answers.get(asked['method']) or {'content': [{'type': 'text', 'text': 'A price of last year.'}], 'structuredContent': {'euros': 1.1}}
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import logging
import sys
from utcp.utcp_client import UtcpClient

logging.disable(logging.CRITICAL)


async def find(*with_output):
    server = {'command': sys.executable, 'args': ['server.py', *with_output], 'transport': 'stdio'}
    client = await UtcpClient.create(config={'manual_call_templates': [{'name': 'm', 'call_template_type': 'mcp', 'config': {'mcpServers': {'s': server}}}]})
    tools = await client.search_tools('price cost value of an item', limit=50)
    print(f'outputSchema for {len(with_output)} of 3:', sorted(tool.name for tool in tools))
    for tool in tools[:1]:
        print('  a call gives', await client.call_tool(tool.name, {'item': 'pen'}))


async def main():
    await find('price', 'cost', 'value')
    await find('price', 'cost')
    await find()


print('utcp-mcp', importlib.metadata.version('utcp-mcp'))
asyncio.run(main())
PY
env/bin/python run.py 2> log | tee out
diff out - <<'END'
utcp-mcp 1.2.0
outputSchema for 3 of 3: ['m.s.cost', 'm.s.price', 'm.s.value']
  a call gives {'euros': 1.1}
outputSchema for 2 of 3: []
outputSchema for 0 of 3: []
END
