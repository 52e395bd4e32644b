#!/usr/bin/env bash
# effect 4.1.0 (npm), its Schema as a schema of tools by the interfaces Standard Schema and Standard JSON Schema, which MCP SDKs take.
# Behaviour: the two sides of one object do not fit. The JSON Schema lets an optional number be null, or the text "NaN" or "Infinity"; a date is
# any text. The check of the same object refuses null, refuses those texts, and refuses every text for a date: it wants a Date. (The schema
# describes another form of the value, for storing.) A tool without parameters, Struct({}), is listed as {"not":{"type":"null"}}, which has no
# type, although MCP asks for the type object.
# Seen:   schema: limit null, "NaN", since any text; check: each refused / Struct({}): {"not":{"type":"null"}}
# Expected by most: what the schema allows passes the check, and an object without members is of type object.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund effect@4.1.0 ajv@8.20.0
cat > run.mjs <<'JS'
import * as Schema from 'effect/Schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
const both = (one) => Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(one))['~standard'];
const listed = (one) => both(one).jsonSchema.input({ target: 'draft-2020-12' });
const told = ({ $schema, ...rest }) => JSON.stringify(rest);
const tool = Schema.Struct({ query: Schema.String, limit: Schema.optional(Schema.Number), since: Schema.optionalKey(Schema.Date) });
for (const [name, one] of Object.entries(listed(tool).properties)) console.log(`listed ${name}: ${JSON.stringify(one)}`);
const check = new Ajv2020({ strict: false }).compile(listed(tool));
const values = [{ query: 'x', limit: 5 }, { query: 'x', limit: null }, { query: 'x', limit: 'NaN' }, { query: 'x', since: '2024-01-02T03:04:05Z' }];
for (const value of values) {
  const result = await both(tool).validate(value);
  const told = { schema: check(value) ? 'right' : 'wrong', check: result.issues ? 'refused' : 'right' };
  console.log(`${JSON.stringify(value)}: by its schema ${told.schema}, by its check ${told.check}`);
}
console.log('without parameters: ' + told(listed(Schema.Struct({}))));
JS
for name in effect ajv; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
listed query: {"type":"string"}
listed limit: {"anyOf":[{"type":"number"},{"type":"string","enum":["Infinity","-Infinity","NaN"]},{"type":"null"}]}
listed since: {"type":"string"}
{"query":"x","limit":5}: by its schema right, by its check right
{"query":"x","limit":null}: by its schema right, by its check refused
{"query":"x","limit":"NaN"}: by its schema right, by its check refused
{"query":"x","since":"2024-01-02T03:04:05Z"}: by its schema right, by its check refused
without parameters: {"not":{"type":"null"}}
END
