#!/usr/bin/env bash
# headroom-ai 0.42.0 (PyPI), compress(messages) as it is, which shortens the results of tools in a history before a model reads it; without a network, so without its optional text model.
# Behaviour: a log whose lines are all INFO is replaced as a whole: 60 lines become "[60 lines omitted: 60 INFO]", and the line about the release that was asked for is gone.
# One ERROR brings lines back, in groups with nothing between them, so that two lines that stood minutes apart follow one another. A list of 500 numbers becomes 15 of them,
# also without a mark where something is missing: 4.5 is followed by 73.5, and the count of the rest stands at the end. Of records with long texts each text is replaced by a hash of its own.
# JSON in one line comes back as a JSON text with \n in it, and the same JSON with indents as plain lines.
# Seen:   60 INFO lines: none left / 500 numbers: [0.0, 1.5, 3.0, 4.5, 73.5, ... "… 485 more items"] / 60 tickets: 60 hashes, no word of any
# Expected by most: a start and an end, a mark at each gap, and the lines that have the words of the question.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir HF_HUB_OFFLINE=1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check headroom-ai==0.42.0
cat > run.py <<'PY'
import json
import logging
import re

from headroom import compress

logging.disable(logging.CRITICAL)


def shown(text):
    call = {'id': 'c1', 'type': 'function', 'function': {'name': 'get_log', 'arguments': '{}'}}
    messages = [{'role': 'user', 'content': 'Which release was deployed to production?'}, {'role': 'assistant', 'content': None, 'tool_calls': [call]},
                {'role': 'tool', 'tool_call_id': 'c1', 'content': text}]
    result = compress(messages, model='gpt-4o').messages[-1]['content']
    return re.sub('ccr:[0-9a-f]+', 'ccr', re.sub('hash=[0-9a-f]+', 'hash', result))


def log(lines, special):
    return '\n'.join(f'2026-11-29 10:{number // 60:02d}:{number % 60:02d} ' + special.get(number, f'INFO handled request {number}') for number in range(lines))


release = {30: 'INFO deployed release 4.2.1 to production'}
print('60 lines of INFO:', shown(log(60, release)).replace('\n', ' '))
lines = shown(log(600, {**release, 300: 'ERROR db timeout', 500: 'ERROR db timeout'})).split('\n')
print('600 lines with 2 errors:', len(lines), 'lines, the release is', 'there.' if any('4.2.1' in line for line in lines) else 'not there.', 'Lines', *(line.split()[-1] for line in lines if ' INFO ' in line))
print('500 numbers:', shown(json.dumps([number * 1.5 for number in range(500)])))
tickets = json.dumps([{'id': number, 'body': f'Ticket {number}: ' + 'The export button does nothing when it is pressed twice. ' * 8 + f'Case {number}.'} for number in range(60)])
result = shown(tickets)
print('60 tickets:', result.count('<<ccr'), 'hashes,', result.count('Ticket'), 'texts. Line 2:', result.strip().split('\n')[1])
records = [{'id': number, 'name': f'n{number}'} for number in range(80)]
for name, text in (('in one line', json.dumps(records)), ('with indents', json.dumps(records, indent=2))):
    result = shown(text).strip()
    print(f'80 records {name}: {result.count(chr(10)) + 1} lines, the first 30 characters {result[:30]!r}')
PY
env/bin/python -c "import importlib.metadata as m; print('headroom-ai', m.version('headroom-ai'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
60 lines of INFO: [60 lines omitted: 60 INFO] [60 lines compressed to 0. Retrieve more: hash]
600 lines with 2 errors: 16 lines, the release is not there. Lines 297 298 299 301 302 303 497 498 499 501 502 503
500 numbers: [0.0,1.5,3.0,4.5,73.5,147.0,220.5,294.0,367.5,441.0,514.5,588.0,661.5,747.0,748.5,"… 485 more items <<ccr 485_items_offloaded>>"]
60 tickets: 60 hashes, 0 texts. Line 2: <<ccr,string,473B>>,0
80 records in one line: 1 lines, the first 30 characters '"[80]{id:int,name:string}\\n0,n'
80 records with indents: 81 lines, the first 30 characters '[80]{id:int,name:string}\n0,n0\n'
END
