#!/usr/bin/env bash
# json-schema-faker 0.6.3 (npm), examples from a JSON Schema, default settings; checked with @cfworker/json-schema 4.1.6 (npm).
# Behaviour: a multiple of 0.01 is a floating-point product and no price. The rule for names of properties (propertyNames) is not kept, nor is a lookahead or
# a class of letters in a pattern; and a duration is "PT0D", which has days among the hours. All of it comes without an error, and the same each time.
# Seen:   1.6300000000000001 / {"prop62707": ...} for ^[a-z]{3}$ / "ab" for ^(?!a) / "p{L}}}}" / "PT0D"
# Expected by most: an example keeps its schema, or an error says that it can not.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-schema-faker@0.6.3 @cfworker/json-schema@4.1.6
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { generate } from 'json-schema-faker';
console.log('json-schema-faker', JSON.parse(readFileSync('node_modules/json-schema-faker/package.json')).version);
for (const schema of [
  { type: 'number', multipleOf: 0.01, minimum: 1, maximum: 2 },
  { type: 'object', propertyNames: { pattern: '^[a-z]{3}$' }, minProperties: 2, additionalProperties: { type: 'integer' } },
  { type: 'string', pattern: '^(?!a)[ab]{2}$' },
  { type: 'string', pattern: '^\\p{L}+$' },
  { type: 'string', format: 'duration' },
  { type: 'string', pattern: '^PT[1-9]H$' },
  { type: 'integer', minimum: 100, maximum: 200 },
]) {
  const made = await generate(schema);
  console.log(JSON.stringify(schema) + ': ' + JSON.stringify(made) + (new Validator(schema, '2020-12').validate(made).valid ? ' keeps it' : ' breaks it'));
}
JS
node run.mjs | tee out
diff out - <<'END'
json-schema-faker 0.6.3
{"type":"number","multipleOf":0.01,"minimum":1,"maximum":2}: 1.6300000000000001 breaks it
{"type":"object","propertyNames":{"pattern":"^[a-z]{3}$"},"minProperties":2,"additionalProperties":{"type":"integer"}}: {"prop62707":-995,"prop52744":963} breaks it
{"type":"string","pattern":"^(?!a)[ab]{2}$"}: "ab" breaks it
{"type":"string","pattern":"^\\p{L}+$"}: "p{L}}}}" breaks it
{"type":"string","format":"duration"}: "PT0D" breaks it
{"type":"string","pattern":"^PT[1-9]H$"}: "PT6H" keeps it
{"type":"integer","minimum":100,"maximum":200}: 163 keeps it
END
