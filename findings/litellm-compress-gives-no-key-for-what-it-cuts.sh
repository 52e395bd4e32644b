#!/usr/bin/env bash
# litellm 1.110.2 (PyPI): litellm.compress, which takes large tool results out of a history, keeps the originals under keys, and gives the model a tool to get them back.
# Behaviour: only a message that is left out WHOLE gets a key. As long as there is room for a hundred tokens a message that is too large is cut in its middle instead, and for
# this no key is made: its middle can not be got back by anything. With three large results all three are cut so, and the tool for getting back is not even there.
# One long line, as of JSON, is never cut: it stays whole, far above the target, and now a message of two letters is left out, with a note for it that is many
# times as long. In the form of Anthropic's messages a call and its result that are left out are gone, without a note and without a key.
# Seen:   three results: start and end shown, middle neither shown nor in the cache, keys [], tools 0 / one line: above twice the target, "ok" has a key / Anthropic's form: keys []
# Expected by most: whatever is not shown in full can be got back by its key, and the size is near the target.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2
cat > run.py <<'PY'
import importlib.metadata
import json
import os

os.environ['LITELLM_LOCAL_MODEL_COST_MAP'] = 'True'
import litellm


def lines(word, count=400):
    return '\n'.join(f'{word} record {i} of this listing' for i in range(count))


def chat(*results):
    messages = [{'role': 'user', 'content': 'Which pressure was measured in the boiler?'}]
    for n, result in enumerate(results):
        call = {'id': f'c{n}', 'type': 'function', 'function': {'name': 'read', 'arguments': '{}'}}
        messages += [{'role': 'assistant', 'content': 'ok', 'tool_calls': [call]}, {'role': 'tool', 'tool_call_id': f'c{n}', 'content': result}]
    return messages + [{'role': 'assistant', 'content': 'So far.'}, {'role': 'user', 'content': 'Which pressure was measured in the boiler?'}]


def blocks(*results):
    messages = [{'role': 'user', 'content': 'Which pressure was measured in the boiler?'}]
    for n, result in enumerate(results):
        messages += [{'role': 'assistant', 'content': [{'type': 'tool_use', 'id': f'c{n}', 'name': 'read', 'input': {}}]},
                     {'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': f'c{n}', 'content': result}]}]
    return messages + [{'role': 'assistant', 'content': 'So far.'}, {'role': 'user', 'content': 'Which pressure was measured in the boiler?'}]


def text(messages):
    return json.dumps(messages)


def tried(name, messages, wanted, **settings):
    got = litellm.compress(messages, model='gpt-4o', compression_trigger=2000, **settings)
    print(f'{name}: target 1400, {"above 2800" if got["compressed_tokens"] > 2800 else "at most 2800"}, keys {sorted(got["cache"])}, tools {len(got["tools"])}')
    for word in wanted:
        shown = text(got['messages'])
        first, middle, last = (f'{word} record {i} ' in shown for i in (0, 250, 399))
        print(f'  {word}: start, middle, end shown: {first}, {middle}, {last}; in the cache:', any(f'{word} record 250 ' in kept for kept in got['cache'].values()))
    return got


print('litellm', importlib.metadata.version('litellm'))
tried('lines', chat(lines('boiler pressure measured'), lines('invoice'), lines('holiday')), ('boiler pressure measured', 'invoice', 'holiday'))
one = json.dumps([f'boiler pressure measured record {i} of this listing' for i in range(400)])
got = tried('one line', chat(one, lines('invoice')), ('boiler pressure measured', 'invoice'))
print('  in place of "ok":', next(message['content'] for message in got['messages'] if message.get('tool_calls')))
tried("Anthropic's form", blocks(lines('invoice'), lines('holiday')), ('invoice', 'holiday'), call_type='anthropic_messages')
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
lines: target 1400, at most 2800, keys [], tools 0
  boiler pressure measured: start, middle, end shown: True, False, True; in the cache: False
  invoice: start, middle, end shown: True, False, True; in the cache: False
  holiday: start, middle, end shown: True, False, True; in the cache: False
one line: target 1400, above 2800, keys ['message_1', 'message_3', 'message_4'], tools 1
  boiler pressure measured: start, middle, end shown: True, True, True; in the cache: False
  invoice: start, middle, end shown: False, False, False; in the cache: True
  in place of "ok": [Compressed: message_1 — 1 lines, text. Use litellm_content_retrieve tool to get full content.]
Anthropic's form: target 1400, at most 2800, keys [], tools 0
  invoice: start, middle, end shown: False, False, False; in the cache: False
  holiday: start, middle, end shown: False, False, False; in the cache: False
END
)
