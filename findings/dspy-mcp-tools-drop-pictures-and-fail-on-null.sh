#!/usr/bin/env bash
# dspy 3.4.1 with mcp 2.3.0 (PyPI), dspy.Tool.from_mcp_tool before a small MCP server over stdio.
# Behaviour: the kind of value depends on how many texts there are: none is [], one is a str, two are a list, and one that is empty is a list again. Beside a
# text all else is dropped: a picture, a link, the text of an embedded resource. A schema "type": ["string", "null"], the shorter of the two usual ways to say
# that null is allowed, can not be loaded at all: a bare TypeError. A bound is checked before the call, "required" and additionalProperties
# are not.
# Seen:   two: ['ONE', 'TWO'] / text and resource: 'T' / empty text: [] / nullable: TypeError / limit 9 of 5: ValueError / without limit: sent
# Expected by most: one shape of result, all blocks of it, and schemas as the protocol allows them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dspy==3.4.1 mcp==2.3.0
cat > server.py <<'PY'
import json
import sys


def text(value):
    return {'type': 'text', 'text': value}


resource = {'type': 'resource', 'resource': {'uri': 'file:///notes.txt', 'text': 'BODY'}}
results = {'two': [text('ONE'), text('TWO')], 'text and resource': [text('T'), resource], 'resource': [resource], 'one': [text('T')], 'empty text': [text('')], 'nothing': []}
limited = {'type': 'object', 'properties': {'limit': {'type': 'integer', 'maximum': 5}}, 'required': ['limit'], 'additionalProperties': False}
nullable = {'type': 'object', 'properties': {'sort': {'type': ['string', 'null']}}}
tools = [{'name': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
tools += [{'name': 'limited', 'inputSchema': limited}, {'name': 'nullable', 'inputSchema': nullable}]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    if request['method'] == 'tools/list':
        result = {'tools': tools}
    elif request['method'] == 'tools/call':
        result = {'content': results.get(request['params']['name'], [text('sent')])}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import sys
import dspy
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client


async def tried(session, tool, **args):
    try:
        value = await dspy.Tool.from_mcp_tool(session, tool).acall(**args)
        return [type(each).__name__ if not isinstance(each, str) else each for each in value] if isinstance(value, list) else value
    except (TypeError, ValueError) as error:
        return type(error)


async def main():
    async with stdio_client(StdioServerParameters(command=sys.executable, args=['server.py'])) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for tool in (await session.list_tools()).tools:
            for args in ({'limit': 9}, {}, {'limit': 1, 'other': 1}) if tool.name == 'limited' else ({},):
                print(f'{tool.name} {args or ""}: {await tried(session, tool, **args)!r}')


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('dspy', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
two : ['ONE', 'TWO']
text and resource : 'T'
resource : ['EmbeddedResource']
one : 'T'
empty text : []
nothing : []
limited {'limit': 9}: <class 'ValueError'>
limited : 'sent'
limited {'limit': 1, 'other': 1}: 'sent'
nullable : <class 'TypeError'>
END
