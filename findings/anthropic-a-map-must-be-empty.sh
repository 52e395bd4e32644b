#!/usr/bin/env bash
# anthropic 2.14.0 with pydantic 2.14.4 (PyPI) and @anthropic-ai/sdk 1.14.0 with zod 4.6.7 (npm): the schema that their helpers for structured outputs (transform_schema, zodOutputFormat) make of a type.
# Behaviour: what the service does not take is put as words into the description, so nothing seems to be lost. A map is another matter: dict[str, int] and z.record() become an object without
# properties that allows none, with no word of the values, so {} is all that the model may write, and a list of maps is a list of {}. A model that allows further members
# (extra="allow", z.looseObject) is closed. In Python the description of a field whose type is another model is left out. The answer then passes the type itself.
# Seen:   prices: dict[str, float] -> {"type": "object", "properties": {}, "additionalProperties": false}; {} is valid, {"tea": 2.5} is not
# Expected by most: an error, as OpenAI's helper gives, or words in the description.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @anthropic-ai/sdk@1.14.0 openai@6.49.0 zod@4.6.7 ajv@8.20.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check anthropic==2.14.0 pydantic==2.14.4 jsonschema==4.26.0
cat > run.py <<'PY'
import json
import anthropic
import jsonschema
from pydantic import BaseModel, ConfigDict, Field

print('anthropic', anthropic.__version__)


class Shop(BaseModel):
    model_config = ConfigDict(extra='allow')
    name: str = Field(min_length=2)


class Answer(BaseModel):
    prices: dict[str, float] = Field(description='Price of each item.')
    tags: list[dict[str, str]] = []
    shop: Shop = Field(description='Where it was bought.')


schema = anthropic.transform_schema(Answer)
for name, part in [*schema['properties'].items(), *schema['$defs'].items()]:
    print(name, json.dumps(part))
for prices in ({}, {'tea': 2.5}):
    value = {'prices': prices, 'tags': [], 'shop': {'name': 'Corner'}}
    print(json.dumps(prices), 'by the type:', isinstance(Answer.model_validate(value), Answer), 'by the schema that is sent:', jsonschema.Draft202012Validator(schema).is_valid(value))
PY
cat > run.mjs <<'JS'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
for (const [name, type] of Object.entries({ record: z.record(z.string(), z.number()), loose: z.looseObject({ a: z.string() }) })) {
  console.log('js:', name, JSON.stringify(zodOutputFormat(z.object({ v: type })).schema.properties.v));
  try {
    zodTextFormat(z.object({ v: type }), 'answer');
  } catch (error) {
    console.log('  openai:', error.message.slice(0, 72));
  }
}
JS
{ env/bin/python run.py; node run.mjs; } | tee out
sed -i 1d out
diff out - <<'END'
prices {"type": "object", "description": "Price of each item.", "title": "Prices", "properties": {}, "additionalProperties": false}
tags {"type": "array", "title": "Tags", "items": {"type": "object", "properties": {}, "additionalProperties": false}, "description": "{default: []}"}
shop {"$ref": "#/$defs/Shop"}
Shop {"type": "object", "title": "Shop", "properties": {"name": {"type": "string", "title": "Name", "description": "{minLength: 2}"}}, "additionalProperties": false, "required": ["name"]}
{} by the type: True by the schema that is sent: True
{"tea": 2.5} by the type: True by the schema that is sent: False
js: record {"type":"object","properties":{},"additionalProperties":false,"description":"{propertyNames: {\"type\":\"string\"}}"}
  openai: Object schema at `properties/v` must set `additionalProperties: false` t
js: loose {"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"required":["a"]}
  openai: Object schema at `properties/v` must set `additionalProperties: false` t
END
