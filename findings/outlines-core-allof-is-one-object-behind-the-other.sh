#!/usr/bin/env bash
# outlines-core 0.2.14 (PyPI), which turns a tool's JSON Schema into a regular expression that a local model's output is held to.
# Behaviour: what the schema allows and what the expression takes differ in both directions. Of an allOf with two objects it takes {"a":1}{"b":2}, which is no
# JSON, and refuses {"a":1,"b":2}. A pattern that only begins with ^ can not be met at all, one without an anchor means the whole text. A time with an
# offset is refused, one with Z taken; 1e3 is refused, 1E+3 taken. Bounds of numbers are left out without a word.
# Seen:   allOf of a and b: only {"a":1}{"b":2} / ^a: nothing / pattern a: "a", not "bab" / date-time: Z alone / minimum 5: 3 is taken
# Expected by most: a subset of what the schema allows, and an error for what is not understood (as there is for the format ipv4).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check outlines-core==0.2.14
cat > run.py <<'PY'
import importlib.metadata
import json
import re
from outlines_core.json_schema import build_regex_from_schema


def member(name):
    return {'type': 'object', 'properties': {name: {'type': 'integer'}}, 'required': [name]}


print('outlines-core', importlib.metadata.version('outlines-core'))
tried = [
    ({'allOf': [member('a'), member('b')]}, ['{"a":1,"b":2}', '{"a":1}{"b":2}']),
    ({'type': 'string', 'pattern': '^a'}, ['"a"', '"ab"', '"^a"']),
    ({'type': 'string', 'pattern': '^a$'}, ['"a"']),
    ({'type': 'string', 'pattern': 'a'}, ['"a"', '"bab"']),
    ({'type': 'string', 'format': 'date-time'}, ['"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:05+02:00"']),
    ({'type': 'number'}, ['1.5', '1e3', '1E+3']),
    ({'type': 'integer', 'minimum': 5, 'maximum': 9}, ['7', '3']),
    ({'type': 'string'}, ['"\\n"', '"\\u00e9"']),
    ({'type': 'string', 'format': 'ipv4'}, []),
]
for schema, texts in tried:
    try:
        pattern = build_regex_from_schema(json.dumps(schema))
        said = ', '.join(text + (' taken' if re.fullmatch(pattern, text) else ' refused') for text in texts)
    except Exception as error:
        said = f'{type(error).__name__}: {error}'
    print(json.dumps(schema) + ': ' + said)
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
{"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}]}: {"a":1,"b":2} refused, {"a":1}{"b":2} taken
{"type": "string", "pattern": "^a"}: "a" refused, "ab" refused, "^a" refused
{"type": "string", "pattern": "^a$"}: "a" taken
{"type": "string", "pattern": "a"}: "a" taken, "bab" refused
{"type": "string", "format": "date-time"}: "2026-01-02T03:04:05Z" taken, "2026-01-02T03:04:05+02:00" refused
{"type": "number"}: 1.5 taken, 1e3 refused, 1E+3 taken
{"type": "integer", "minimum": 5, "maximum": 9}: 7 taken, 3 taken
{"type": "string"}: "\n" taken, "\u00e9" refused
{"type": "string", "format": "ipv4"}: ValueError: Format ipv4 is not supported by Outlines
END
