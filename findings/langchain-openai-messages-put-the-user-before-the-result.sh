#!/usr/bin/env bash
# langchain-core 1.8.3 (PyPI), convert_to_openai_messages, which turns a history of any provider into the messages of OpenAI's Chat Completions.
# Behaviour: a user's turn in Anthropic's form, with the result of a tool and then the user's words, becomes two messages in the wrong order: first the user's words, then the result. So a
# user's message stands between a call and its result, which OpenAI's API refuses, and which other models read as an answer to no call. Of two results beside a text it is the same. The mark
# that the tool failed (is_error, or status="error" of a ToolMessage) is gone, and a block of thinking stays in the content, where the API knows no such type.
# Seen:   tool_result, text "go on": assistant with the call, user "go on", tool "bad" / is_error: not in the messages
# Most would guess: the result comes first, as it stands first in the turn and has to follow its call.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-core==1.8.3
cat > run.py <<'PY'
import json

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.messages.utils import convert_to_openai_messages


def call(name):
    return {'type': 'tool_use', 'id': name, 'name': 'read', 'input': {'file': name}}


def result(name, text, **more):
    return {'type': 'tool_result', 'tool_use_id': name, 'content': [{'type': 'text', 'text': text}], **more}


words = {'type': 'text', 'text': 'go on'}
histories = {
    'result, words': [AIMessage([call('a')]), HumanMessage([result('a', 'bad', is_error=True), words])],
    'two results, words': [AIMessage([call('a'), call('b')]), HumanMessage([result('a', 'one'), result('b', 'two'), words])],
    'two results': [AIMessage([call('a'), call('b')]), HumanMessage([result('a', 'one'), result('b', 'two')])],
    'thinking': [AIMessage([{'type': 'thinking', 'thinking': 'T', 'signature': 's'}, {'type': 'text', 'text': 'hi'}])],
    'ToolMessage': [AIMessage('', tool_calls=[{'name': 'read', 'args': {}, 'id': 'a'}]), ToolMessage('bad', tool_call_id='a', status='error'), HumanMessage('go on')],
}
for name, history in histories.items():
    print(name + ':')
    for message in convert_to_openai_messages(history):
        said = [call['id'] for call in message.get('tool_calls', [])]
        print(f"  {message['role']}, " + (f'calls {said}, ' if said else '') + json.dumps({key: value for key, value in message.items() if key not in ('role', 'tool_calls')}))
PY
env/bin/python -c "import importlib.metadata as m; print('langchain-core', m.version('langchain-core'))"
env/bin/python run.py | tee out
diff out - <<'END'
result, words:
  assistant, calls ['a'], {"content": ""}
  user, {"content": "go on"}
  tool, {"tool_call_id": "a", "content": "bad"}
two results, words:
  assistant, calls ['a', 'b'], {"content": ""}
  user, {"content": "go on"}
  tool, {"tool_call_id": "a", "content": "one"}
  tool, {"tool_call_id": "b", "content": "two"}
two results:
  assistant, calls ['a', 'b'], {"content": ""}
  tool, {"tool_call_id": "a", "content": "one"}
  tool, {"tool_call_id": "b", "content": "two"}
thinking:
  assistant, {"content": [{"type": "thinking", "thinking": "T", "signature": "s"}, {"type": "text", "text": "hi"}]}
ToolMessage:
  assistant, calls ['a'], {"content": ""}
  tool, {"tool_call_id": "a", "content": "bad"}
  user, {"content": "go on"}
END
