#!/usr/bin/env bash
# agentscope 2.0.11 with mcp 2.3.0 (PyPI), MCPClient and Toolkit as they are, before a small MCP server over stdio; OpenAIChatFormatter and AnthropicChatFormatter make what a model is sent.
# Behaviour: a call that fits the schema is sent as the model wrote it. When one argument has the wrong type and is mended ("5" to 5), the defaults of all other parameters are sent as well,
# though the model left them out: a server that tells "not given" from its default acts differently. "no" becomes false, "a,b" the list ["a,b"], of two JSON objects behind one another the second counts.
# Two text blocks become one with nothing between them. The mark of an error reaches neither OpenAI nor Anthropic, which has a field for it. Of a link the name and the description
# are dropped, and the model is told that a file "is returned". structuredContent is shown only where there is no text.
# Seen:   {"q": "x", "limit": 5}: sent so / {"q": "x", "limit": "5"}: sent with "sort": "asc", "dry_run": false / blocks ONE, TWO: "ONETWO" / error: no is_error
# Expected by most: the same call with 5 for "5"; a line break between blocks; is_error for Anthropic.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agentscope==2.0.11 mcp==2.3.0
cat > server.py <<'PY'
import json
import sys


def text(*texts):
    return [{'type': 'text', 'text': each} for each in texts]


link = {'type': 'resource_link', 'uri': 'file:///report.txt', 'name': 'report', 'description': 'the report of May'}
results = {'two': {'content': text('ONE', 'TWO')}, 'failed': {'content': text('disk full'), 'isError': True}, 'link': {'content': text('see') + [link]},
           'both': {'content': text('3 rows'), 'structuredContent': {'rows': [1, 2, 3]}}}
properties = {'q': {'type': 'string'}, 'limit': {'type': 'integer'}, 'sort': {'type': 'string', 'enum': ['asc', 'desc'], 'default': 'asc'}, 'dry_run': {'type': 'boolean', 'default': False},
              'tags': {'type': 'array', 'items': {'type': 'string'}}}
tools = [{'name': 'echo', 'description': 'Echoes.', 'inputSchema': {'type': 'object', 'properties': properties, 'required': ['q']}}]
tools += [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    if request['method'] == 'tools/list':
        answer = {'result': {'tools': tools}}
    elif request['method'] == 'tools/call':
        answer = {'result': results.get(request['params']['name']) or {'content': text(json.dumps(request['params']['arguments']))}}
    elif request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    else:
        answer = {'error': {'code': -32601, 'message': 'no such method'}}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import logging
import sys

from agentscope.formatter import AnthropicChatFormatter, OpenAIChatFormatter
from agentscope.mcp import MCPClient, StdioMCPConfig
from agentscope.message import AssistantMsg, ToolCallBlock, ToolResultBlock, UserMsg
from agentscope.state import AgentState
from agentscope.tool import Toolkit

logging.disable(logging.CRITICAL)


async def main():
    client = MCPClient(name='s', is_stateful=True, mcp_config=StdioMCPConfig(command=sys.executable, args=['server.py']))
    await client.connect()
    toolkit = Toolkit(tools=await client.list_tools())
    state = AgentState()

    async def call(name, given):
        async for part in toolkit.call_tool(ToolCallBlock(id='1', name='mcp__s__' + name, input=given), state):
            last = part
        return last

    for given in ('{"q": "x", "limit": 5}', '{"q": "x", "limit": "5"}', '{"q": 7}', '{"q": "x", "dry_run": "no"}', '{"q": "x", "tags": "a,b"}', '{"q": "a"} {"q": "b"}'):
        print(given, '->', (await call('echo', given)).content[0].text)
    for name in ('two', 'failed', 'link', 'both'):
        result = await call(name, '{}')
        use = ToolCallBlock(id='1', name=name, input='{}')
        messages = [UserMsg('u', 'go'), AssistantMsg('a', content=[use, ToolResultBlock(id='1', name=name, output=result.content, state=result.state)])]
        shown = (await AnthropicChatFormatter().format(messages))[-1]['content'][0]
        print(name + ':', json.dumps((await OpenAIChatFormatter().format(messages))[2]['content']), '/', json.dumps({key: value for key, value in shown.items() if key not in ('type', 'tool_use_id')}))
    await client.close()


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print('agentscope', m.version('agentscope'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
{"q": "x", "limit": 5} -> {"q": "x", "limit": 5}
{"q": "x", "limit": "5"} -> {"q": "x", "limit": 5, "sort": "asc", "dry_run": false}
{"q": 7} -> {"q": "7", "sort": "asc", "dry_run": false}
{"q": "x", "dry_run": "no"} -> {"q": "x", "sort": "asc", "dry_run": false}
{"q": "x", "tags": "a,b"} -> {"q": "x", "sort": "asc", "dry_run": false, "tags": ["a,b"]}
{"q": "a"} {"q": "b"} -> {"q": "b", "sort": "asc", "dry_run": false}
two: "ONETWO" / {"content": [{"type": "text", "text": "ONETWO"}]}
failed: "disk full" / {"content": [{"type": "text", "text": "disk full"}]}
link: "see\n<system-reminder>A(n) application file is returned and can be accessed at the URL: file:///report.txt.</system-reminder>" / {"content": [{"type": "text", "text": "see"}, {"type": "text", "text": "[application file returned, URL: file:///report.txt]"}]}
both: "3 rows" / {"content": [{"type": "text", "text": "3 rows"}]}
END
