#!/usr/bin/env bash
# fastmcp 4.2.3 with mcp 2.3.0 (PyPI): result.data of its client, which is what its guide tells programs to use, before a small MCP server over stdio.
# Behaviour: where a tool lists an output schema, the structured data are read into a class that is made of the schema, and what the class has no field for is left
# out without a word: members that the schema does not name, although JSON Schema allows them, at every depth and in each row of a list, and what patternProperties
# allow. A member that is absent is there as None or as its default. An integer in a "number" is a float, so an id above 2^53 is another one. @id is called field_id,
# a text that holds JSON (format json) is an object. structured_content beside it has everything.
# Only where the schema says additionalProperties: true in words, or has allOf at its top, is nothing left out.
# Seen:   {"n":1,"more":2}: n=1 / {"rows":[{"id":1,"x":2}]}: id=1 / x-a: gone / {"n":9007199254740993}: 9007199254740992.0 / {"n":1}: note=None
# Expected by most: the same members and the same numbers, only as attributes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastmcp==4.2.3 mcp==2.3.0
cat > cases.py <<'PY'
integer, text = {'type': 'integer'}, {'type': 'string'}


def of(**properties):
    return {'type': 'object', 'properties': properties}


cases = {
    'more': (of(n=integer), {'n': 1, 'more': 2}),
    'rows': (of(rows={'type': 'array', 'items': of(id=integer)}), {'rows': [{'id': 1, 'x': 2}, {'id': 2, 'x': 3}]}),
    'map': ({'type': 'object', 'additionalProperties': of(n=integer)}, {'a': {'n': 1, 'm': 2}}),
    'pattern': (of(n=integer) | {'patternProperties': {'^x-': text}}, {'n': 1, 'x-a': 'kept?'}),
    'allowed in words': (of(n=integer) | {'additionalProperties': True}, {'n': 1, 'more': 2}),
    'all of': ({'type': 'object', 'allOf': [of(n=integer)]}, {'n': 1, 'more': 2}),
    'absent': (of(n=integer, note=text), {'n': 1}),
    'number': (of(n={'type': 'number'}), {'n': 9007199254740993}),
    'at': (of(**{'@id': text}), {'@id': 'a'}),
    'json': (of(body={'type': 'string', 'format': 'json'}), {'body': '{"n": 1}'}),
}
PY
cat > server.py <<'PY'
import json
import sys
from cases import cases

for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': name, 'inputSchema': {'type': 'object'}, 'outputSchema': schema} for name, (schema, _) in cases.items()]}}
    elif request['method'] == 'tools/call':
        answer = {'result': {'content': [], 'structuredContent': cases[request['params']['name']][1]}}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import dataclasses
import sys
from cases import cases
from fastmcp import Client
from fastmcp.client.transports import StdioTransport


def plain(value):
    if dataclasses.is_dataclass(value):
        return {'.' + field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    return [plain(member) for member in value] if isinstance(value, list) else value


async def main():
    async with Client(StdioTransport(sys.executable, ['server.py'])) as client:
        for name, (_, sent) in cases.items():
            result = await client.call_tool(name, {})
            assert result.structured_content == sent
            print(f'{name}: {sent} -> {plain(result.data)}')


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('fastmcp', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
more: {'n': 1, 'more': 2} -> {'.n': 1}
rows: {'rows': [{'id': 1, 'x': 2}, {'id': 2, 'x': 3}]} -> {'.rows': [{'.id': 1}, {'.id': 2}]}
map: {'a': {'n': 1, 'm': 2}} -> {'a': {'.n': 1}}
pattern: {'n': 1, 'x-a': 'kept?'} -> {'.n': 1}
allowed in words: {'n': 1, 'more': 2} -> n=1 more=2
all of: {'n': 1, 'more': 2} -> {'n': 1, 'more': 2}
absent: {'n': 1} -> {'.n': 1, '.note': None}
number: {'n': 9007199254740993} -> {'.n': 9007199254740992.0}
at: {'@id': 'a'} -> {'.field_id': 'a'}
json: {'body': '{"n": 1}'} -> {'.body': {'n': 1}}
END
