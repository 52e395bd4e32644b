#!/usr/bin/env bash
# mcpschema 0.1.0 (PyPI): "Convert MCP tool schemas to OpenAI, Anthropic, Gemini, and other LLM provider formats".
# Behaviour: a tool that is a dict, as in the quick start of its README, becomes a tool with the name "" and without parameters; in all formats, without an error. With an object (the fields as
# attributes) the name is there, but whatever is no plain type becomes {"type": "string"}: a $ref to an object, anyOf, oneOf, const, and each list of types. Patterns, limits and
# additionalProperties are dropped too, for OpenAI and Anthropic as well.
# Seen:   to_openai_tool(the README's dict): "name": "", "properties": {} / $ref to an address: string / ["integer", "null"]: string
# Expected by most: git_log with its parameter n; the address with its fields; an integer that can be left empty.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcpschema==0.1.0
cat > run.py <<'PY'
import importlib.metadata
import json
from types import SimpleNamespace
from mcpschema import convert_all, to_anthropic_tool, to_gemini_tool, to_openai_tool

print('mcpschema', importlib.metadata.version('mcpschema'))
tool = {'name': 'git_log', 'description': 'Get recent commits', 'inputSchema': {'type': 'object', 'properties': {'n': {'type': 'integer', 'default': 10}}, 'required': ['n']}}
for convert in (to_openai_tool, to_anthropic_tool, to_gemini_tool):
    print(convert.__name__, json.dumps(convert(tool)))
print('convert_all', json.dumps(convert_all([tool], 'openai')))
properties = {
    'address': {'$ref': '#/$defs/Address'},
    'count': {'type': ['integer', 'null']},
    'limit': {'anyOf': [{'type': 'integer'}, {'type': 'null'}]},
    'when': {'oneOf': [{'type': 'object', 'properties': {'day': {'type': 'string'}}}, {'type': 'object', 'properties': {'week': {'type': 'integer'}}}]},
    'others': {'type': 'array', 'items': {'$ref': '#/$defs/Address'}},
    'code': {'type': 'string', 'pattern': '^[A-Z]{3}$'},
    'prices': {'type': 'object', 'additionalProperties': {'type': 'number'}},
}
schema = {'type': 'object', 'properties': properties, 'required': ['address'], '$defs': {'Address': {'type': 'object', 'properties': {'city': {'type': 'string'}}}}}
made = to_anthropic_tool(SimpleNamespace(name='send', description='Send', inputSchema=schema))
print('as an object:', made['name'])
for name, part in made['input_schema']['properties'].items():
    print(f'  {name}: {json.dumps(properties[name])}\n    {json.dumps(part)}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
mcpschema 0.1.0
to_openai_tool {"type": "function", "function": {"name": "", "description": "", "parameters": {"type": "object", "properties": {}}}}
to_anthropic_tool {"name": "", "description": "", "input_schema": {"type": "object", "properties": {}}}
to_gemini_tool {"name": "", "parameters": {"type": "OBJECT", "properties": {}}}
convert_all [{"type": "function", "function": {"name": "", "description": "", "parameters": {"type": "object", "properties": {}}}}]
as an object: send
  address: {"$ref": "#/$defs/Address"}
    {"type": "string"}
  count: {"type": ["integer", "null"]}
    {"type": "string"}
  limit: {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    {"type": "string"}
  when: {"oneOf": [{"type": "object", "properties": {"day": {"type": "string"}}}, {"type": "object", "properties": {"week": {"type": "integer"}}}]}
    {"type": "string"}
  others: {"type": "array", "items": {"$ref": "#/$defs/Address"}}
    {"type": "array", "items": {"type": "string"}}
  code: {"type": "string", "pattern": "^[A-Z]{3}$"}
    {"type": "string"}
  prices: {"type": "object", "additionalProperties": {"type": "number"}}
    {"type": "object"}
END
