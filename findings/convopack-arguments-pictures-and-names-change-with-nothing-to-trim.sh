#!/usr/bin/env bash
# convopack 0.3.2 (PyPI): a packer of histories that keeps calls and results together; a history of OpenAI's form through from_openai, Packer.pack and to_openai, with a budget that is never reached.
# Behaviour: nothing is trimmed, and yet the history is another. The arguments of a call are read and written anew: 1.10 is 1.1, letters outside ASCII become escapes, and arguments that are cut
# come out as an object with a key of its own. A picture loses "detail": "low", so that it costs as a large one. A result loses its name, an answer its refusal and its reasoning, and an empty answer becomes
# null, which OpenAI takes for calls only. So a prefix that was in the provider's cache is not that prefix any more.
# Seen:   {"price": 1.10, "city": "Köln"}: {"price": 1.1, "city": "K\u00f6ln"} / detail low: gone / "": null
# Expected by most: what is kept is as it was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check convopack==0.3.2
cat > run.py <<'PY'
import importlib.metadata
import json
from convopack import Packer, Recency
from convopack.providers.openai import from_openai, to_openai


def call(number, arguments):
    return {'id': number, 'type': 'function', 'function': {'name': 'price', 'arguments': arguments}}


print('convopack', importlib.metadata.version('convopack'))
history = [
    {'role': 'user', 'content': [{'type': 'text', 'text': 'See'}, {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA', 'detail': 'low'}}]},
    {'role': 'assistant', 'content': '', 'tool_calls': [call('c1', '{"price": 1.10, "city": "Köln"}')]},
    {'role': 'tool', 'tool_call_id': 'c1', 'name': 'price', 'content': 'ok'},
    {'role': 'assistant', 'content': ''},
    {'role': 'user', 'content': 'again', 'name': 'ann'},
    {'role': 'assistant', 'content': None, 'tool_calls': [call('c2', '{"price": ')]},
    {'role': 'tool', 'tool_call_id': 'c2', 'content': 'the arguments are cut'},
    {'role': 'assistant', 'content': None, 'refusal': 'I will not say.'},
]
packed = Packer(budget=100000, tokenizer='approx', strategy=Recency(), pin=['system', 'first_user']).pack(from_openai(history))
print('left out:', len(packed.dropped))
for before, after in zip(history, to_openai(packed.kept)):
    print('same ' if before == after else 'other', json.dumps(before, ensure_ascii=False), *([] if before == after else ['\n     ', json.dumps(after, ensure_ascii=False)]))
PY
env/bin/python run.py | tee out
diff out - <<'END'
convopack 0.3.2
left out: 0
other {"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}]} 
      {"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}
other {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "price", "arguments": "{\"price\": 1.10, \"city\": \"Köln\"}"}}]} 
      {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "price", "arguments": "{\"price\": 1.1, \"city\": \"K\\u00f6ln\"}"}}]}
other {"role": "tool", "tool_call_id": "c1", "name": "price", "content": "ok"} 
      {"role": "tool", "tool_call_id": "c1", "content": "ok"}
other {"role": "assistant", "content": ""} 
      {"role": "assistant", "content": null}
same  {"role": "user", "content": "again", "name": "ann"}
other {"role": "assistant", "content": null, "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "price", "arguments": "{\"price\": "}}]} 
      {"role": "assistant", "content": null, "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "price", "arguments": "{\"_raw\": \"{\\\"price\\\": \"}"}}]}
same  {"role": "tool", "tool_call_id": "c2", "content": "the arguments are cut"}
other {"role": "assistant", "content": null, "refusal": "I will not say."} 
      {"role": "assistant", "content": null}
END
