#!/usr/bin/env bash
# agent-framework-core 1.23.0 with mcp 2.3.0 (PyPI), an Agent with an MCPStdioTool as they are, before a small MCP server: what the model is sent of each call.
# Behaviour: of a result that says isError the model reads "Error: Function failed." and nothing of what the server said. Arguments that do not fit the schema are, before any
# call, "Error: Argument parsing failed.", without the name of the argument or what is wrong with it. An argument under a name that the schema does not have is
# dropped, and the call succeeds. Beside structured data the text of a result is dropped. A result without any block is "null".
# Seen:   failed: Error: Function failed. / missing, wrong type: Error: Argument parsing failed. / misspelt: the server gets {"a": "x"} / text and data: {"id": 1}
# Expected by most: the text of the error, as the protocol means it for the model, and a word on which argument is wrong.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-framework-core==1.23.0 mcp==2.3.0 tenacity
cat > server.py <<'PY'
import json
import sys

text = {'type': 'text', 'text': 'branch release/7 is protected, use release/8'}
results = {
    'text': {'content': [text]}, 'failed': {'content': [text], 'isError': True}, 'failed_data': {'content': [text], 'structuredContent': {'code': 7}, 'isError': True},
    'text_and_data': {'content': [text], 'structuredContent': {'id': 1}}, 'nothing': {'content': []},
}
echo = {'type': 'object', 'properties': {'a': {'type': 'string'}, 'n': {'type': 'integer'}}, 'required': ['a']}
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'result': {}} if request['method'] == 'ping' else {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        tools = [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
        answer = {'result': {'tools': tools + [{'name': 'echo', 'description': 'echo', 'inputSchema': echo}]}}
    elif request['method'] == 'tools/call':
        name, arguments = request['params']['name'], request['params'].get('arguments')
        answer = {'result': results.get(name) or {'content': [{'type': 'text', 'text': 'the server got ' + json.dumps(arguments)}]}}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import sys
from agent_framework import Agent, BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, MCPStdioTool, Message


class Pretend(FunctionInvocationLayer, BaseChatClient):
    def __init__(self, name, arguments):
        super().__init__()
        self.call, self.shown = (name, arguments), None

    async def answer(self, messages):
        if self.call is None:
            self.shown = messages[-1].contents[0].result
            return ChatResponse(messages=[Message(role='assistant', contents=[Content.from_text('end')])])
        (name, arguments), self.call = self.call, None
        call = Content.from_function_call(call_id='c1', name=name, arguments=json.dumps(arguments))
        return ChatResponse(messages=[Message(role='assistant', contents=[call])])

    def _inner_get_response(self, *, messages, stream=False, options=None, **more):
        return self.answer(messages)


async def main():
    async with MCPStdioTool(name='s', command=sys.executable, args=['server.py'], load_prompts=False) as tool:
        calls = [('text', {}), ('failed', {}), ('failed_data', {}), ('text_and_data', {}), ('nothing', {}), ('echo', {'a': 'x', 'typo': 1}), ('echo', {}), ('echo', {'a': 'x', 'n': 'two'})]
        for name, arguments in calls:
            client = Pretend(name, arguments)
            await Agent(client=client, tools=[tool]).run('go')
            print('shown', name, json.dumps(arguments) + ':', client.shown)


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('agent-framework-core', 'mcp')))"
env/bin/python run.py 2>&1 | tee log | grep '^shown ' | tee out || { cat log; exit 1; }
diff out - <<'END'
shown text {}: branch release/7 is protected, use release/8
shown failed {}: Error: Function failed.
shown failed_data {}: Error: Function failed.
shown text_and_data {}: {"id": 1}
shown nothing {}: null
shown echo {"a": "x", "typo": 1}: the server got {"a": "x"}
shown echo {}: Error: Argument parsing failed.
shown echo {"a": "x", "n": "two"}: Error: Argument parsing failed.
END
