#!/usr/bin/env bash
# json-schema-to-yup 1.8.8 (npm), "build a Yup schema from a JSON Schema"; its own yup 0.26.
# Behaviour: the schema that it makes checks types, patterns, lengths, minimum and maximum. These are dropped without a word: enum, integer, multipleOf, formats (email), a minimum or a
# maximum length of 0, the type of what is in a list, uniqueItems, and all that is within an object (required and types). It is so with strict as well.
# Seen:   level "mid" of low, high: good / age 1.5: good / count -1 with minimum 0: good / email "x": good / tags [{}]: good / address {} without its city: good
# Expected by most: refused, each of them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-schema-to-yup@1.8.8 2> /dev/null
cat > run.cjs <<'JS'
const { buildYup } = require('json-schema-to-yup');
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#', $id: 'http://example.com/person.json', title: 'Person', type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 1, maximum: 99 },
    count: { type: 'number', minimum: 0 },
    size: { type: 'number', multipleOf: 5, exclusiveMinimum: 1 },
    level: { type: 'string', enum: ['low', 'high'] },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
    address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  required: ['name'],
};
const made = buildYup(schema, {});
for (const field of [{ name: 'A' }, { age: 100 }, { age: 0 }, { age: 1.5 }, { count: -1 }, { size: 7 }, { size: 1 }, { level: 'mid' }, { email: 'x' }, { tags: [] }, { tags: [{}] }, { tags: ['a', 'a'] }, { address: {} }, { address: { city: 5 } }]) {
  console.log(`${JSON.stringify(field)}: ${made.isValidSync({ name: 'Ann', ...field }, { strict: true }) ? 'good' : 'refused'}`);
}
JS
node -p "'json-schema-to-yup ' + JSON.parse(require('fs').readFileSync('node_modules/json-schema-to-yup/package.json')).version"
node run.cjs | tee out
diff out - <<'END'
{"name":"A"}: refused
{"age":100}: refused
{"age":0}: refused
{"age":1.5}: good
{"count":-1}: good
{"size":7}: good
{"size":1}: refused
{"level":"mid"}: good
{"email":"x"}: good
{"tags":[]}: refused
{"tags":[{}]}: good
{"tags":["a","a"]}: good
{"address":{}}: good
{"address":{"city":5}}: good
END
