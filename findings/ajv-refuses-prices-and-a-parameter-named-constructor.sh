#!/usr/bin/env bash
# ajv 8.20.0 (npm), the validator under most MCP clients and agents in JavaScript, against @cfworker/json-schema 4.1.6 (npm) and zod 4.6.7 (npm).
# Behaviour: with multipleOf 0.01 the price 19.99 is refused, and 0.07; the schema is what z.number().multipleOf(0.01) is published as, and zod takes both. An
# optional parameter with the name "constructor" makes every object without it invalid, as the function that each object inherits is taken for its value,
# and a required one counts as there. The other validator agrees with the standard. Options (multipleOfPrecision, ownProperties) are off.
# Seen:   19.99: ajv false, others true / optional constructor of {}: ajv false, other true / required constructor of {}: ajv true, other false
# Expected by most: cents are multiples of 0.01, and what is not in the JSON text is not in the object.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund ajv@8.20.0 @cfworker/json-schema@4.1.6 zod@4.6.7
cat > run.mjs <<'JS'
import Ajv from 'ajv';
import { Validator } from '@cfworker/json-schema';
import * as z from 'zod';
const cents = z.toJSONSchema(z.number().multipleOf(0.01), { target: 'draft-7' });
for (const value of [19.99, 0.07, 0.25]) console.log(`${value}: zod ${z.number().multipleOf(0.01).safeParse(value).success}, ajv ${new Ajv().validate(cents, value)}, cfworker ${new Validator(cents, '7').validate(value).valid}`);
for (const name of ['constructor', 'builder']) {
  const optional = { type: 'object', properties: { [name]: { type: 'string' } } };
  const required = { ...optional, required: [name], properties: {} };
  for (const [kind, schema] of Object.entries({ optional, required })) console.log(`${kind} ${name} of {}: ajv ${new Ajv({ strict: false }).validate(schema, {})}, cfworker ${new Validator(schema, '7').validate({}).valid}`);
}
JS
for name in ajv @cfworker/json-schema zod; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
19.99: zod true, ajv false, cfworker true
0.07: zod true, ajv false, cfworker true
0.25: zod true, ajv true, cfworker true
optional constructor of {}: ajv false, cfworker true
required constructor of {}: ajv true, cfworker false
optional builder of {}: ajv true, cfworker true
required builder of {}: ajv false, cfworker false
END
