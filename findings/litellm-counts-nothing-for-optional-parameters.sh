#!/usr/bin/env bash
# litellm 1.110.2 (PyPI): token_counter with tools, with which gateways and agents reckon what their tool definitions cost before they send them.
# Behaviour: definitions are first written in a notation of TypeScript's kind that knows the plain types alone. Where a parameter has anyOf, a $ref, a list of types or an
# enum without a type, it is the word "any", whatever stands below; of a map only "object" is left, of a tool with oneOf at its top the name. Patterns, defaults,
# examples and the description of the items of a list are left out. So the same 200 choices count 1,832 tokens as a required parameter and 32 as one that may be null,
# which is how servers in Python publish every optional parameter, and a record of 50 members counts 1,084, or 32 by way of its $ref.
# Seen:   enum: 1832 / enum or null: 32 / record: 1084 / $ref of it: 32 / record or null: 32 / oneOf at the top: 25; each of them is above 1,000 tokens of JSON
# Expected by most: about as many tokens as the definition has, with every choice and description in it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2
cat > run.py <<'PY'
import importlib.metadata
import json
import os

os.environ['LITELLM_LOCAL_MODEL_COST_MAP'] = 'True'
import litellm

choices = [f'option-number-{i}-of-many' for i in range(200)]
record = {'type': 'object', 'properties': {f'field_{i}': {'type': 'string', 'description': f'The value of field {i} in words that are long'} for i in range(50)}}
null = {'type': 'null'}


def one(schema, **more):
    return {'type': 'object', 'properties': {'a': schema}, **more}


cases = {
    'text': one({'type': 'string'}),
    'enum': one({'type': 'string', 'enum': choices}),
    'enum or null': one({'anyOf': [{'type': 'string', 'enum': choices}, null], 'default': None}),
    'enum, list of types': one({'type': ['string', 'null'], 'enum': choices}),
    'enum without a type': one({'enum': choices}),
    'record': one(record),
    'record or null': one({'anyOf': [record, null], 'default': None}),
    '$ref to record': one({'$ref': '#/$defs/R'}, **{'$defs': {'R': record}}),
    'map of records': one({'type': 'object', 'additionalProperties': record}),
    'oneOf at the top': {'type': 'object', 'oneOf': [record, record]},
    'pattern': one({'type': 'string', 'pattern': '|'.join(choices)}),
    'description of items': one({'type': 'array', 'items': {'type': 'string', 'description': ' '.join(choices)}}),
}
messages = [{'role': 'user', 'content': 'hello'}]
print('litellm', importlib.metadata.version('litellm'))
none = litellm.token_counter(model='gpt-4o', messages=messages)
for name, schema in cases.items():
    tool = {'type': 'function', 'function': {'name': 'find', 'description': 'Finds.', 'parameters': schema}}
    size = len(litellm.encode(model='gpt-4o', text=json.dumps(tool)))
    print(f'{name}: {litellm.token_counter(model="gpt-4o", messages=messages, tools=[tool]) - none} counted,', 'above 1000' if size > 1000 else 'below 100', 'as JSON')
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
text: 32 counted, below 100 as JSON
enum: 1832 counted, above 1000 as JSON
enum or null: 32 counted, above 1000 as JSON
enum, list of types: 32 counted, above 1000 as JSON
enum without a type: 32 counted, above 1000 as JSON
record: 1084 counted, above 1000 as JSON
record or null: 32 counted, above 1000 as JSON
$ref to record: 32 counted, above 1000 as JSON
map of records: 32 counted, above 1000 as JSON
oneOf at the top: 25 counted, above 1000 as JSON
pattern: 32 counted, above 1000 as JSON
description of items: 32 counted, above 1000 as JSON
END
)
