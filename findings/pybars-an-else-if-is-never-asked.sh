#!/usr/bin/env bash
# pybars4 0.9.13 (PyPI), Handlebars in Python, under prompt templates of Semantic Kernel for Python, against handlebars 4.7.10 (npm) with the same templates and data.
# Behaviour: {{else if ...}} is not asked: where the first condition is false the text of the last {{else}} is written, and where it is true rendering ends with an error. ../ within
# {{#with}} leads to the same place and not outward. A comment with a tag in it ends at that tag, and the rest of it is
# written into the text. {{#with}} on null writes its block. Lists are in Python's notation.
# Seen:   {{#if no}}a{{else if yes}}b{{else}}c{{/if}}: c / {{#with inner}}{{../name}}{{/with}}: inner's name / {{!-- old {{tag}} --}}: " --}}"
# Expected by most: b; the outer name; nothing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund handlebars@4.7.10
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pybars4==0.9.13
cat > templates.json <<'JSON'
{
  "templates": [
    "{{#if no}}a{{else if yes}}b{{else}}c{{/if}}",
    "{{#if yes}}a{{else if no}}b{{else}}c{{/if}}",
    "{{#if no}}a{{else}}{{#if yes}}b{{else}}c{{/if}}{{/if}}",
    "{{#with inner}}{{name}} of {{../name}}{{/with}}",
    "{{#each rows}}{{k}} of {{../name}} {{/each}}",
    "{{#each inner.list}}{{this}} of {{../name}} {{/each}}",
    "{{!-- old: {{name}} --}}text",
    "{{#with nothing}}block{{else}}none{{/with}}",
    "{{inner.list}} {{half}} {{two}}"
  ],
  "data": {"no": false, "yes": true, "name": "outer", "inner": {"name": "inner", "list": ["p", "q"]}, "rows": [{"k": 1}], "nothing": null, "half": 0.5, "two": 2}
}
JSON
cat > run.cjs <<'JS'
const { templates, data } = require('./templates.json');
const handlebars = require('handlebars');
for (const template of templates) console.log('js:', template, '->', handlebars.compile(template)(data));
JS
cat > run.py <<'PY'
import json
from pybars import Compiler

given = json.load(open('templates.json'))
for template in given['templates']:
    try:
        text = Compiler().compile(template)(given['data'])
    except Exception as error:
        text = type(error).__name__
    print('py:', template, '->', text)
PY
env/bin/python -c "import importlib.metadata as m; print('pybars4', m.version('pybars4'))"
{ node run.cjs; env/bin/python run.py; } | tee out
diff out - <<'END'
js: {{#if no}}a{{else if yes}}b{{else}}c{{/if}} -> b
js: {{#if yes}}a{{else if no}}b{{else}}c{{/if}} -> a
js: {{#if no}}a{{else}}{{#if yes}}b{{else}}c{{/if}}{{/if}} -> b
js: {{#with inner}}{{name}} of {{../name}}{{/with}} -> inner of outer
js: {{#each rows}}{{k}} of {{../name}} {{/each}} -> 1 of outer 
js: {{#each inner.list}}{{this}} of {{../name}} {{/each}} -> p of outer q of outer 
js: {{!-- old: {{name}} --}}text -> text
js: {{#with nothing}}block{{else}}none{{/with}} -> none
js: {{inner.list}} {{half}} {{two}} -> p,q 0.5 2
py: {{#if no}}a{{else if yes}}b{{else}}c{{/if}} -> c
py: {{#if yes}}a{{else if no}}b{{else}}c{{/if}} -> PybarsError
py: {{#if no}}a{{else}}{{#if yes}}b{{else}}c{{/if}}{{/if}} -> b
py: {{#with inner}}{{name}} of {{../name}}{{/with}} -> inner of inner
py: {{#each rows}}{{k}} of {{../name}} {{/each}} -> 1 of outer 
py: {{#each inner.list}}{{this}} of {{../name}} {{/each}} -> p of outer q of outer 
py: {{!-- old: {{name}} --}}text ->  --}}text
py: {{#with nothing}}block{{else}}none{{/with}} -> block
py: {{inner.list}} {{half}} {{two}} -> ['p', 'q'] 0.5 2
END
