#!/usr/bin/env bash
# jambo 0.2.0.post1 (PyPI), which makes a pydantic model of a tool's JSON Schema; each value below is valid by its schema.
# Behaviour: the model takes the value and gives back another one. An object without "properties", or with additionalProperties of a type, comes back empty; of
# an allOf nothing is left; a parameter of the name model_config is gone. A list with uniqueItems is a set: its order goes, and doubles are dropped, not refused.
# A list without "items", a member with a description alone and a name that begins with _ make the whole schema an error. The caller's own schema
# is changed on the way: each optional member has "default": null in it afterwards, also where null is not allowed.
# Seen:   {"env": {"A": "1"}}: {"env": {}} / allOf: {} / uniqueItems of b, a: another order / model_config: gone / no items: InvalidSchemaException
# Expected by most: the value as it was, or an error of the check.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jambo==0.2.0.post1
cat > run.py <<'PY'
import importlib.metadata
import json
import warnings
from jambo import SchemaConverter

warnings.simplefilter('ignore')
print('jambo', importlib.metadata.version('jambo'))


def properties(**members):
    return {'properties': members}


text = {'type': 'string'}
kept = {'title': 'Arguments', 'type': 'object', **properties(name=dict(text))}
SchemaConverter.build(kept)
print('own schema afterwards: ' + json.dumps(kept['properties']))
for more, value in [
    (properties(env={'type': 'object'}), {'env': {'A': '1'}}),
    (properties(env={'type': 'object', 'additionalProperties': dict(text)}), {'env': {'A': '1'}}),
    ({'allOf': [properties(a={'type': 'integer'})]}, {'a': 1}),
    (properties(tags={'type': 'array', 'items': {'type': 'integer'}, 'uniqueItems': True}), {'tags': [3, 2, 1]}),
    (properties(tags={'type': 'array', 'items': {'type': 'integer'}, 'uniqueItems': True}), {'tags': [1, 1]}),
    (properties(model_config=dict(text), model_name=dict(text)), {'model_config': 'a', 'model_name': 'b'}),
    (properties(address={'type': 'string', 'format': 'uri'}), {'address': 'https://x.example'}),
    (properties(rows={'type': 'array'}), {'rows': [1]}),
    (properties(any={'description': 'what to look for'}), {'any': 1}),
    (properties(_id=dict(text)), {'_id': 'a'}),
]:
    before = json.dumps(more)
    try:
        model = SchemaConverter.build({'title': 'Arguments', 'type': 'object', **more})
        came = json.dumps(model.model_validate(value).model_dump(mode='json', by_alias=True))
    except Exception as error:
        came = type(error).__name__
    print(before + ' of ' + json.dumps(value) + ': ' + came)
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
own schema afterwards: {"name": {"type": "string", "default": null}}
{"properties": {"env": {"type": "object"}}} of {"env": {"A": "1"}}: {"env": {}}
{"properties": {"env": {"type": "object", "additionalProperties": {"type": "string"}}}} of {"env": {"A": "1"}}: {"env": {}}
{"allOf": [{"properties": {"a": {"type": "integer"}}}]} of {"a": 1}: {}
{"properties": {"tags": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true}}} of {"tags": [3, 2, 1]}: {"tags": [1, 2, 3]}
{"properties": {"tags": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true}}} of {"tags": [1, 1]}: {"tags": [1]}
{"properties": {"model_config": {"type": "string"}, "model_name": {"type": "string"}}} of {"model_config": "a", "model_name": "b"}: {"model_name": "b"}
{"properties": {"address": {"type": "string", "format": "uri"}}} of {"address": "https://x.example"}: {"address": "https://x.example/"}
{"properties": {"rows": {"type": "array"}}} of {"rows": [1]}: InvalidSchemaException
{"properties": {"any": {"description": "what to look for"}}} of {"any": 1}: InvalidSchemaException
{"properties": {"_id": {"type": "string"}}} of {"_id": "a"}: PydanticUserError
END
