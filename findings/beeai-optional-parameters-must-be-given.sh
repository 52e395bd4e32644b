#!/usr/bin/env bash
# beeai-framework 0.1.85 with mcp 1.30.0 (PyPI): MCPTool.from_client before a small MCP server over stdio.
# Behaviour: an optional parameter with anyOf or oneOf (a text or a number) can not be left out: each call without it is refused before it is sent. A parameter without a type takes nothing that JSON has, for it is
# read as Python's own type of types; an object without properties takes {} alone. A constant that was left out is sent. Of results: a text that can be read as JSON is read (the commit id
# 1234e56 is 1.234e+59), any other text is shown as JSON of the block with its empty members, line breaks escaped; the words of an error with data are dropped, and so is the text beside data.
# Seen:   who: anyOf, left out: refused / any: 5: "Input should be a type" / free: {"z": 1}: "Extra inputs are not permitted" / mode left out: "mode": "fast" is sent / 'a': {"type": "text", "text": "a", "annotations": null, "meta": null}
# Most would guess: optional is optional, a schema without a type takes all, and a text is shown as text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check beeai-framework==0.1.85 mcp==1.30.0
cat > server.py <<'PY'
import json
import sys


def text(*texts):
    return [{'type': 'text', 'text': each} for each in texts]


results = {
    'words': {'content': text('line 1\nline 2')}, 'commit': {'content': text('1234e56')}, 'two': {'content': text('ONE', 'TWO')}, 'failed': {'content': text('disk 7 is full'), 'structuredContent': {'code': 7}, 'isError': True},
    'both': {'content': text('2 rows'), 'structuredContent': {'rows': [1, 2]}},
}
properties = {
    'a': {'type': 'string'}, 'who': {'anyOf': [{'type': 'string'}, {'type': 'integer'}]}, 'any': {'description': 'Anything.'}, 'free': {'type': 'object'}, 'mode': {'const': 'fast'},
}
tools = [{'name': 'echo', 'description': 'Echoes.', 'inputSchema': {'type': 'object', 'properties': properties, 'required': ['a']}}]
tools += [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request or 'method' not in request:
        continue
    result = {}
    if request['method'] == 'initialize':
        result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    elif request['method'] == 'tools/list':
        result = {'tools': tools}
    elif request['method'] == 'tools/call':
        result = results.get(request['params']['name']) or {'content': text('the server got ' + json.dumps(request['params'].get('arguments')))}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import sys
from beeai_framework.errors import FrameworkError
from beeai_framework.tools.mcp import MCPTool
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    async with stdio_client(StdioServerParameters(command=sys.executable, args=['server.py'])) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = {tool.name: tool for tool in await MCPTool.from_client(session)}
        fine = {'a': 'x', 'who': 5}
        calls = [('echo', each) for each in ({'a': 'x'}, fine, {**fine, 'any': 5}, {**fine, 'any': 'text'}, {**fine, 'free': {}}, {**fine, 'free': {'z': 1}})]
        for name, arguments in calls + [(name, {}) for name in ('words', 'commit', 'two', 'both', 'failed')]:
            try:
                shown = (await tools[name].run(arguments)).get_text_content()
            except FrameworkError as error:
                shown = type(error).__name__ + ' ' + ' '.join(f'{error} {error.__cause__ or ""}'.split()).split(' [type')[0]
            print(name, json.dumps(arguments) + ':', shown)


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('beeai-framework', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
echo {"a": "x"}: ToolInputValidationError Tool input validation error 2 validation errors for echo who.str Input should be a valid string
echo {"a": "x", "who": 5}: {"type": "text", "text": "the server got {\"a\": \"x\", \"who\": 5}", "annotations": null, "meta": null}
echo {"a": "x", "who": 5, "any": 5}: ToolInputValidationError Tool input validation error 1 validation error for echo any Input should be a type
echo {"a": "x", "who": 5, "any": "text"}: ToolInputValidationError Tool input validation error 1 validation error for echo any Input should be a type
echo {"a": "x", "who": 5, "free": {}}: {"type": "text", "text": "the server got {\"a\": \"x\", \"who\": 5, \"free\": {}}", "annotations": null, "meta": null}
echo {"a": "x", "who": 5, "free": {"z": 1}}: ToolInputValidationError Tool input validation error 1 validation error for echo free.z Extra inputs are not permitted
words {}: {"type": "text", "text": "line 1\nline 2", "annotations": null, "meta": null}
commit {}: 1.234e+59
two {}: [{"type": "text", "text": "ONE", "annotations": null, "meta": null}, {"type": "text", "text": "TWO", "annotations": null, "meta": null}]
both {}: {"rows": [1, 2]}
failed {}: ToolError { "code": 7 }
END
