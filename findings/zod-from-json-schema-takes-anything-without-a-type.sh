#!/usr/bin/env bash
# zod 4.6.7 (npm), z.fromJSONSchema, by which a tool's schema from elsewhere becomes a check.
# Behaviour: a schema without "type" is one that takes anything, whatever else it says: properties, required, minimum, pattern and items are passed over without
# a word (not and if are errors). So is "required" for a member that "properties" does not list, and the usual way to say "a or b", an anyOf of two
# "required". The other way round, a const or an enum with an object or a list refuses just these values, and an integer above 2^53 is none.
# Seen:   {"minimum":5} of 3: passes / required a without a type, of {}: passes / anyOf required a, b, of {}: passes / const {"a":1} of {"a":1}: refused
# Expected by most: what the schema says, or an error for what is not understood.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund zod@4.6.7
cat > run.mjs <<'JS'
import * as z from 'zod';
const text = { type: 'string' };
const tried = [
  [{ minimum: 5 }, 3], [{ type: 'number', minimum: 5 }, 3], [{ pattern: '^a' }, 'b'], [{ items: text }, [1]], [{ properties: { a: text }, required: ['a'] }, {}],
  [{ type: 'object', properties: { a: text }, required: ['a'] }, {}], [{ type: 'object', required: ['a'] }, {}],
  [{ type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}],
  [{ const: { a: 1 } }, { a: 1 }], [{ enum: [[1], [2]] }, [1]], [{ const: 1 }, 1], [{ type: 'integer' }, 2 ** 60],
];
for (const [schema, value] of tried) console.log(JSON.stringify(schema) + ' of ' + JSON.stringify(value) + ': ' + (z.fromJSONSchema(schema).safeParse(value).success ? 'passes' : 'refused'));
JS
echo "zod $(node -p "JSON.parse(require('fs').readFileSync('node_modules/zod/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"minimum":5} of 3: passes
{"type":"number","minimum":5} of 3: refused
{"pattern":"^a"} of "b": passes
{"items":{"type":"string"}} of [1]: passes
{"properties":{"a":{"type":"string"}},"required":["a"]} of {}: passes
{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]} of {}: refused
{"type":"object","required":["a"]} of {}: passes
{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]} of {}: passes
{"const":{"a":1}} of {"a":1}: refused
{"enum":[[1],[2]]} of [1]: refused
{"const":1} of 1: passes
{"type":"integer"} of 1152921504606847000: refused
END
