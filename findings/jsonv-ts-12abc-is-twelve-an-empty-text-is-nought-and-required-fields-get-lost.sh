#!/usr/bin/env bash
# jsonv-ts 0.10.1 (npm), parse as it is by default, and fromSchema with its validator.
# Behaviour: parse turns texts into what the schema asks for before it checks. For a number an empty text becomes 0. For an integer the digits at the start are taken: "12abc" is 12, "1,234" is 1, "1e3" is 1, "2026-01-02" is 2026.
# All these pass as valid. Without coerce they are errors.
# fromSchema drops a name of required when properties do not list it, also inside allOf and anyOf, where such lists are usual. What it drops is gone from the schema that it prints too, so a client that reads it can not know.
# Seen:   {"price": "", "pieces": "12abc"} -> {"price":0,"pieces":12} / {type object, required [b]} on {}: valid / allOf of required a and required b on {}: valid
# Expected by most: an error for a text that is no number as a whole; required names as JSON Schema has them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > npm.log 2>&1
npm install --silent --no-audit --no-fund jsonv-ts@0.10.1 >> npm.log 2>&1 || { cat npm.log; exit 1; }
cat > run.mjs <<'JS'
import fs from 'node:fs';
import { fromSchema, parse, s } from 'jsonv-ts';

console.log('jsonv-ts', JSON.parse(fs.readFileSync('node_modules/jsonv-ts/package.json', 'utf8')).version);
function show(name, run) {
  try {
    console.log(name, JSON.stringify(run()));
  } catch (error) {
    console.log(name, 'error');
  }
}
const order = s.object({ price: s.number(), pieces: s.integer() });
show('parse', () => parse(order, { price: '', pieces: '12abc' }));
for (const text of ['1,234', '1e3', '5.9', '2026-01-02', '9007199254740993', 'abc']) {
  show(`integer "${text}"`, () => parse(s.integer(), text));
}
show('without coerce', () => parse(order, { price: '', pieces: '12abc' }, { coerce: false }));
for (const [schema, value] of [
  [{ type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }, {}],
  [{ allOf: [{ type: 'object', required: ['a'] }, { type: 'object', required: ['b'] }] }, {}],
  [{ anyOf: [{ type: 'object', required: ['mail'] }, { type: 'object', required: ['phone'] }] }, {}],
  [{ type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }, {}],
  [{ required: ['b'] }, {}],
]) {
  const read = fromSchema(schema);
  console.log(JSON.stringify(schema), 'valid', JSON.stringify(value) + ':', read.validate(value).valid, '| printed', JSON.stringify(read));
}
JS
node run.mjs | tee out
diff out - <<'END'
jsonv-ts 0.10.1
parse {"price":0,"pieces":12}
integer "1,234" 1
integer "1e3" 1
integer "5.9" 5
integer "2026-01-02" 2026
integer "9007199254740993" 9007199254740992
integer "abc" error
without coerce error
{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]} valid {}: true | printed {"type":"object","properties":{"a":{"type":"string"}}}
{"allOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"]}]} valid {}: true | printed {"allOf":[{"type":"object"},{"type":"object"}]}
{"anyOf":[{"type":"object","required":["mail"]},{"type":"object","required":["phone"]}]} valid {}: true | printed {"anyOf":[{"type":"object"},{"type":"object"}]}
{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]} valid {}: false | printed {"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}
{"required":["b"]} valid {}: false | printed {"required":["b"]}
END
