#!/usr/bin/env bash
# jsonata-python 0.7.1 (PyPI), the port of JSONata to Python, against jsonata 2.2.2 (npm), the language's own implementation.
# Behaviour: some 190 expressions gave the same in both, but a whole number of 16 digits or more that becomes a text is rounded to 15 digits and written with an exponent: by $string, by & and in the
# key of a group. Ids of snowflake kind and times in microseconds have 16 and more. So records that are grouped or joined by their ids fall together without an error, and distinct ids become one. The
# number itself, and the same number within an object that becomes a text, keep all digits.
# Seen:   {$string(id): v} of two records: {"1.09951162777612e+15": [1, 2]}, right is {"1099511627776123": 1, "1099511627776124": 2} / $string({'id': id}): all digits
# Most would guess: whole numbers up to 2^53 become their digits, as in JavaScript.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jsonata@2.2.2
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jsonata-python==0.7.1
cat > ask.json <<'J'
{"data": {"time": 1714557600123456, "short": 123456789012345, "rows": [{"id": 1099511627776123, "v": 1}, {"id": 1099511627776124, "v": 2}]},
 "questions": ["$string(short)", "$string(time)", "'at ' & time", "time", "$string({'time': time})", "rows{$string(id): v}", "$join(rows.$string(id), ',')", "$count($distinct(rows.$string(id)))", "rows.(id & '-' & v)", "$string(1000000 * 1000000000)"]}
J
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import jsonata from 'jsonata';
const { data, questions } = JSON.parse(readFileSync('ask.json'));
for (const question of questions) console.log(JSON.stringify(await jsonata(question).evaluate(data)));
JS
cat > run.py <<'PY'
import json

import jsonata

ask = json.load(open('ask.json'))
for question in ask['questions']:
    print(json.dumps(jsonata.Jsonata(question).evaluate(ask['data']), separators=(',', ':')))
PY
node run.mjs > js; env/bin/python run.py > py
env/bin/python -c "import importlib.metadata as m; print('jsonata-python', m.version('jsonata-python'))"
env/bin/python -c "
import json
for question, js, py in zip(json.load(open('ask.json'))['questions'], open('js').read().splitlines(), open('py').read().splitlines()):
    print(f'{question}: npm {js}, PyPI {py}')
" | tee out
diff out - <<'END'
$string(short): npm "123456789012345", PyPI "123456789012345"
$string(time): npm "1714557600123456", PyPI "1.71455760012346e+15"
'at ' & time: npm "at 1714557600123456", PyPI "at 1.71455760012346e+15"
time: npm 1714557600123456, PyPI 1714557600123456
$string({'time': time}): npm "{\"time\":1714557600123456}", PyPI "{\"time\":1714557600123456}"
rows{$string(id): v}: npm {"1099511627776123":1,"1099511627776124":2}, PyPI {"1.09951162777612e+15":[1,2]}
$join(rows.$string(id), ','): npm "1099511627776123,1099511627776124", PyPI "1.09951162777612e+15,1.09951162777612e+15"
$count($distinct(rows.$string(id))): npm 2, PyPI 1
rows.(id & '-' & v): npm ["1099511627776123-1","1099511627776124-2"], PyPI ["1.09951162777612e+15-1","1.09951162777612e+15-2"]
$string(1000000 * 1000000000): npm "1000000000000000", PyPI "1e+15"
END
