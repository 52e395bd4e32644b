#!/usr/bin/env bash
# jsonschema 4.26.0, fastjsonschema 2.22.3 and jsonschema-rs 0.61.2 (PyPI), which check arguments and structured results in Python.
# Behaviour: with one schema and one value they say three things. jsonschema (under the MCP SDK and many agents) finds that 19.99 is no multiple of 0.01, ends with
# a bare re.error at the pattern ^\p{L}+$ of a server in TypeScript, and lets a line break pass behind ^a$. fastjsonschema passes what newer drafts added
# (prefixItems, dependentRequired, unevaluatedProperties) without a word, and writes the defaults into the caller's own data.
# Seen:   19.99: no, yes, yes / \p{L}: error, error, yes / "a\n": yes, no, no / prefixItems of [1]: no, yes, no / data afterwards: {'limit': 5}
# Expected by most: validators differ in formats alone, and a check changes nothing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jsonschema==4.26.0 fastjsonschema==2.22.3 jsonschema-rs==0.61.2
cat > run.py <<'PY'
import copy
import re
import fastjsonschema
import jsonschema
import jsonschema_rs


def fast(schema, value):
    try:
        fastjsonschema.compile(schema)(value)
        return True
    except fastjsonschema.JsonSchemaValueException:
        return False


validators = {'jsonschema': lambda schema, value: jsonschema.Draft202012Validator(schema).is_valid(value), 'fastjsonschema': fast, 'jsonschema-rs': jsonschema_rs.is_valid}
tried = [
    ({'multipleOf': 0.01}, 19.99), ({'pattern': r'^\p{L}+$'}, 'abc'), ({'pattern': '^a$'}, 'a\n'), ({'prefixItems': [{'type': 'string'}]}, [1]), ({'dependentRequired': {'a': ['b']}}, {'a': 1}),
    ({'properties': {'a': {}}, 'unevaluatedProperties': False}, {'b': 1}), ({'type': 'object', 'properties': {'limit': {'default': 5}}}, {}),
]
for schema, value in tried:
    line = []
    for name, validator in validators.items():
        own = copy.deepcopy(value)
        try:
            line.append(f'{name} {"yes" if validator(schema, own) else "no"}' + (f' and now {own}' if own != value else ''))
        except re.error:
            line.append(name + ' re.error')
    print(f'{schema} of {value!r}: ' + ', '.join(line))
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('jsonschema', 'fastjsonschema', 'jsonschema-rs')))"
env/bin/python -W ignore run.py | tee out
diff out - <<'END'
{'multipleOf': 0.01} of 19.99: jsonschema no, fastjsonschema yes, jsonschema-rs yes
{'pattern': '^\\p{L}+$'} of 'abc': jsonschema re.error, fastjsonschema re.error, jsonschema-rs yes
{'pattern': '^a$'} of 'a\n': jsonschema yes, fastjsonschema no, jsonschema-rs no
{'prefixItems': [{'type': 'string'}]} of [1]: jsonschema no, fastjsonschema yes, jsonschema-rs no
{'dependentRequired': {'a': ['b']}} of {'a': 1}: jsonschema no, fastjsonschema yes, jsonschema-rs no
{'properties': {'a': {}}, 'unevaluatedProperties': False} of {'b': 1}: jsonschema no, fastjsonschema yes, jsonschema-rs no
{'type': 'object', 'properties': {'limit': {'default': 5}}} of {}: jsonschema yes, fastjsonschema yes and now {'limit': 5}, jsonschema-rs yes
END
