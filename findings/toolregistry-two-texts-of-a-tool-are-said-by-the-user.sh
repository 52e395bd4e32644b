#!/usr/bin/env bash
# toolregistry 0.19.0 (PyPI, extra mcp), with mcp 2.3.0 and openai 3.57.0: tools of an MCP server, called with execute_tool_calls and told back with build_tool_call_messages (OpenAI's form); a small server over stdio.
# Behaviour: a result of two texts is not in the message of the tool: there stands "See <tool-content ...> below.", and the texts follow at the end of all results in a message of the USER. An error is
# the JSON of the whole result object, with meta and annotations, and so is an empty result. A misspelt argument is dropped without a word, a missing one and a text for a number go
# through to the server. A parameter that may be null loses that.
# Seen:   two texts: {"role": "user", "content": [..."one", "two"...]} / {"item": "pen", "amonut": 3}: the server gets {"item": "pen"}
# Expected by most: the texts in the tool's message; an error for the model.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'toolregistry[mcp]==0.19.0' mcp==2.3.0 openai==3.57.0
cat > server.py <<'PY'
import json, sys

parameters = {'item': {'type': 'string'}, 'amount': {'type': 'integer'}, 'note': {'anyOf': [{'type': 'string'}, {'type': 'null'}]}}
results = {
    'two': {'content': [{'type': 'text', 'text': 'one'}, {'type': 'text', 'text': 'two'}]},
    'failed': {'content': [{'type': 'text', 'text': 'The disk is full.'}], 'isError': True},
    'nothing': {'content': []},
}
tools = [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': parameters, 'required': ['item']}} for name in [*results, 'echo']]
for line in sys.stdin:
    asked = json.loads(line)
    if 'id' not in asked:
        continue
    params = asked.get('params') or {}
    answers = {'initialize': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}, 'tools/list': {'tools': tools}}
    if asked['method'] == 'server/discover':
        answer = {'error': {'code': -32601, 'message': 'unknown'}}
    else:
        answer = {'result': answers.get(asked['method']) or results.get(params.get('name')) or {'content': [{'type': 'text', 'text': 'got ' + json.dumps(params.get('arguments'))}]}}
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import warnings
from openai.types.chat.chat_completion_message_tool_call import ChatCompletionMessageToolCall as Call
from toolregistry import ToolRegistry

warnings.simplefilter('ignore')
print('toolregistry', importlib.metadata.version('toolregistry'))
registry = ToolRegistry()
registry.register_from_mcp({'command': sys.executable, 'args': ['server.py']})
asked = [('two', {'item': 'pen'}), ('failed', {'item': 'pen'}), ('nothing', {'item': 'pen'}), ('echo', {'item': 'pen', 'amonut': 3}), ('echo', {}), ('echo', {'item': 'pen', 'amount': 'three'})]
calls = [Call(id=f'c{n}', type='function', function={'name': name, 'arguments': json.dumps(arguments)}) for n, (name, arguments) in enumerate(asked)]
for message in registry.build_tool_call_messages(calls, registry.execute_tool_calls(calls))[1:]:
    print(json.dumps(message))
shown = next(tool for tool in registry.get_schemas() if tool['function']['name'] == 'echo')
print('note:', json.dumps(shown['function']['parameters']['properties']['note']))
PY
env/bin/python run.py | tee out
diff out - <<'END'
toolregistry 0.19.0
{"role": "tool", "tool_call_id": "c0", "content": "See <tool-content call-id=\"c0\"> below."}
{"role": "tool", "tool_call_id": "c1", "content": "{\"meta\": null, \"content\": [{\"type\": \"text\", \"text\": \"The disk is full.\", \"annotations\": null, \"meta\": null}], \"structured_content\": null, \"is_error\": true, \"result_type\": \"complete\"}"}
{"role": "tool", "tool_call_id": "c2", "content": "{\"meta\": null, \"content\": [], \"structured_content\": null, \"is_error\": false, \"result_type\": \"complete\"}"}
{"role": "tool", "tool_call_id": "c3", "content": "got {\"item\": \"pen\"}"}
{"role": "tool", "tool_call_id": "c4", "content": "got {}"}
{"role": "tool", "tool_call_id": "c5", "content": "got {\"item\": \"pen\", \"amount\": \"three\"}"}
{"role": "user", "content": [{"type": "text", "text": "<tool-content call-id=\"c0\">"}, {"type": "text", "text": "one"}, {"type": "text", "text": "two"}, {"type": "text", "text": "</tool-content>"}]}
note: {"type": "string"}
END
