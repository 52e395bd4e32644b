#!/usr/bin/env bash
# liquidjs 10.30.1 (npm) and python-liquid 2.3.6 (PyPI), the template language Liquid in JavaScript and Python.
# Behaviour: one template, one record, two texts. Seven shared by two is 3.5 in one and 3 in the other; two and a half is rounded to 3 and to 2; a list
# that ends with commas has 4 and 6 parts. Both put "..." behind a text of exactly as many words as are allowed, as if it were cut; python-liquid also
# does so for letters, and takes the last two of a text that fits. Records as text, whole floats and equal values differ as well.
# Seen:   7 | divided_by: 2: 3.5, 3 / 2.5 | round: 3, 2 / "a b c" | truncatewords: 3: a b c... in both / "abcde" | truncate: 5: abcde, ab...
# Expected by most: one text from both, 3, 3 and 4 as in Ruby, and whole texts left whole.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund liquidjs@10.30.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-liquid==2.3.6
cat > templates.json <<'END'
["{{ 7 | divided_by: 2 }}", "{{ 7 | divided_by: 2.0 }}", "{{ 2.5 | round }}", "{{ 1.005 | round: 2 }}",
 "{{ 'a,b,,c,,' | split: ',' | size }}", "{{ 'a b c' | truncatewords: 3 }}",
 "{{ 'abcde' | truncate: 5 }}", "{{ 0.1 | plus: 0.2 }}", "{{ price }}", "{{ record }}", "{{ values | uniq | size }}", "{{ 'abc' | first }}", "{% if '10' > 9 %}yes{% else %}no{% endif %}"]
END
cat > run.cjs <<'JS'
const engine = new (require('liquidjs').Liquid)();
const data = { price: 5.0, record: { id: 7, note: null }, values: [1, '1', true] };
console.log(JSON.stringify(JSON.parse(require('fs').readFileSync('templates.json')).map((text) => {
  try { return engine.parseAndRenderSync(text, data); } catch { return 'an error'; }
})));
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
from liquid import render

data = {'price': 5.0, 'record': {'id': 7, 'note': None}, 'values': [1, '1', True]}
print('liquidjs', json.load(open('node_modules/liquidjs/package.json'))['version'], 'python-liquid', importlib.metadata.version('python-liquid'))
for text, other in zip(json.load(open('templates.json')), json.load(sys.stdin)):
    try:
        mine = render(text, **data)
    except Exception:
        mine = 'an error'
    print(f'{text}: {other} | {mine}')
PY
node run.cjs | env/bin/python run.py | tee out
diff out - <<'END'
liquidjs 10.30.1 python-liquid 2.3.6
{{ 7 | divided_by: 2 }}: 3.5 | 3
{{ 7 | divided_by: 2.0 }}: 3.5 | 3.5
{{ 2.5 | round }}: 3 | 2
{{ 1.005 | round: 2 }}: 1.01 | 1.0
{{ 'a,b,,c,,' | split: ',' | size }}: 4 | 6
{{ 'a b c' | truncatewords: 3 }}: a b c... | a b c...
{{ 'abcde' | truncate: 5 }}: abcde | ab...
{{ 0.1 | plus: 0.2 }}: 0.30000000000000004 | 0.3
{{ price }}: 5 | 5.0
{{ record }}: [object Object] | {'id': 7, 'note': None}
{{ values | uniq | size }}: 3 | 2
{{ 'abc' | first }}: a | 
{% if '10' > 9 %}yes{% else %}no{% endif %}: yes | an error
END
