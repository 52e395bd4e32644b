#!/usr/bin/env bash
# json-schema-to-pydantic 0.5.0 with pydantic 2.12.5 (PyPI), which makes a pydantic model of a JSON Schema, such as that of a tool; create_model as it is.
# Behaviour: a list with uniqueItems becomes a set. Its values come back in another order, and a list with repeated values, which the schema forbids, is taken
# and shortened. Fields of a nested object that the schema does not name are dropped although it allows them; optional ones that were left out come back as
# null, which the schema refuses; the kind of further fields (additionalProperties with a schema) is not checked; an address gets a slash at its end.
# Seen:   stops [30, 4, 12, 1]: [1, 4, 12, 30] / [7, 7]: [7] / {"name": "a", "note": "x"}: {"name":"a","size":null} / http://example.org: http://example.org/
# Expected by most: what was given, as it was given, and a refusal of repeated values and of a text where integers are asked for.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-schema-to-pydantic==0.5.0 pydantic==2.12.5 jsonschema==4.26.0
cat > run.py <<'PY'
import importlib.metadata
import json
from json_schema_to_pydantic import create_model
from jsonschema import Draft202012Validator

print('json-schema-to-pydantic', importlib.metadata.version('json-schema-to-pydantic'))
stops = {'type': 'array', 'items': {'type': 'integer'}, 'uniqueItems': True}
part = {'type': 'object', 'properties': {'name': {'type': 'string'}, 'size': {'type': 'integer'}}, 'required': ['name']}
counts = {'type': 'object', 'additionalProperties': {'type': 'integer'}}
for schema, value in [
    (stops, [30, 4, 12, 1]),
    (stops, [7, 7]),
    (part, {'name': 'a', 'note': 'x'}),
    (counts, {'a': 'many'}),
    ({'type': 'string', 'format': 'uri'}, 'http://example.org'),
]:
    whole = {'title': 'Arguments', 'type': 'object', 'properties': {'x': schema}, 'required': ['x']}
    model = create_model(whole)
    try:
        result = model.model_validate({'x': value}).model_dump_json()
    except Exception as error:
        result = type(error).__name__
    valid = Draft202012Validator(whole).is_valid
    print(f'{json.dumps(value)} (valid: {valid({"x": value})}) => {result} (valid: {valid(json.loads(result))})')
PY
env/bin/python run.py | tee out
diff out - <<'END'
json-schema-to-pydantic 0.5.0
[30, 4, 12, 1] (valid: True) => {"x":[1,4,12,30]} (valid: True)
[7, 7] (valid: False) => {"x":[7]} (valid: True)
{"name": "a", "note": "x"} (valid: True) => {"x":{"name":"a","size":null}} (valid: False)
{"a": "many"} (valid: False) => {"x":{"a":"many"}} (valid: False)
"http://example.org" (valid: True) => {"x":"http://example.org/"} (valid: True)
END
