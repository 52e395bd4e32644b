#!/usr/bin/env bash
# @huggingface/jinja 0.5.11 (npm), which runs models' chat templates in JavaScript (transformers.js and others), against jinja2 3.1.6 (PyPI).
# Behaviour: one template makes another prompt. Two equal lists are not equal, what is not defined is equal to none, and a remainder has the
# other sign; true, none and lists are printed in other letters, so arguments of a tool that a template prints without tojson read
# {"a": true} in one and {'a': True} in the other. Texts can not be compared with <, repeated with * or put
# together with format, and a number can not be rounded to two places.
# Seen:   roles == ["user"]: false (True) / missing == none: true (False) / -7 % 3: -1 (2) / {{ args }}: {"a": true} ({'a': True})
# Expected by most: the prompt that the model was trained with.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @huggingface/jinja@0.5.11
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jinja2==3.1.6
cat > templates.txt <<'END'
{% if roles == ["user"] %}one question{% else %}more{% endif %}
{% if missing == none %}none{% else %}not none{% endif %}
{{ -7 % 3 }}
{{ args }}
{{ none }}|{{ true }}
{{ args | tojson }}
{{ "it's" | title }}
{% if "b" > "a" %}later{% endif %}
{{ "-" * 3 }}
{{ "%s-%s" | format("a", "b") }}
{{ 3.14159 | round(2) }}
{{ "a" in roles }}
END
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Template } from '@huggingface/jinja';
const values = { roles: ['user'], args: { a: true, b: null, c: 'x' } };
for (const template of readFileSync('templates.txt', 'utf8').trim().split('\n')) {
  let text;
  try { text = new Template(template).render(values); } catch { text = 'error'; }
  console.log(text);
}
JS
cat > run.py <<'PY'
import json
from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
environment.filters['tojson'] = json.dumps
values = {'roles': ['user'], 'args': {'a': True, 'b': None, 'c': 'x'}}
for template in open('templates.txt'):
    print(environment.from_string(template.rstrip('\n')).render(**values))
PY
echo "@huggingface/jinja $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@huggingface/jinja/package.json')).version")"
node run.mjs > javascript; env/bin/python run.py > python
paste -d'\n' templates.txt <(sed 's/^/  JavaScript /' javascript) <(sed 's/^/  Python     /' python) | tee out
diff out - <<'END'
{% if roles == ["user"] %}one question{% else %}more{% endif %}
  JavaScript more
  Python     one question
{% if missing == none %}none{% else %}not none{% endif %}
  JavaScript none
  Python     not none
{{ -7 % 3 }}
  JavaScript -1
  Python     2
{{ args }}
  JavaScript {"a": true, "b": null, "c": "x"}
  Python     {'a': True, 'b': None, 'c': 'x'}
{{ none }}|{{ true }}
  JavaScript |true
  Python     None|True
{{ args | tojson }}
  JavaScript {"a": true, "b": null, "c": "x"}
  Python     {"a": true, "b": null, "c": "x"}
{{ "it's" | title }}
  JavaScript It'S
  Python     It's
{% if "b" > "a" %}later{% endif %}
  JavaScript error
  Python     later
{{ "-" * 3 }}
  JavaScript error
  Python     ---
{{ "%s-%s" | format("a", "b") }}
  JavaScript error
  Python     a-b
{{ 3.14159 | round(2) }}
  JavaScript error
  Python     3.14
{{ "a" in roles }}
  JavaScript false
  Python     False
END
