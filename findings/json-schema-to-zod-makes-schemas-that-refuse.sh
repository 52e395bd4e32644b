#!/usr/bin/env bash
# json-schema-to-zod 2.8.1 with zod 4.6.7 (npm), beside ajv 8.20.0. Its guide says that it makes code in JavaScript, for zod 4 by default.
# Behaviour: what it writes for oneOf is TypeScript, with types in angle brackets: run as JavaScript, as programs do that make a schema at run time, it is an error
# of syntax. A constant or choice that is an object or a list refuses itself. With patternProperties all other members are refused, though
# the schema says nothing of them. A name that is required and not described is not required, and it is dropped. An IPv4 address calls a function that zod 4 has not.
# Seen:   oneOf: Unexpected token / const {"a":1}: refused / x-note and count: refused / required id without description: {} taken, id dropped
# Expected by most: code that runs, and a schema that takes what the JSON Schema takes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-schema-to-zod@2.8.1 zod@4.6.7 ajv@8.20.0
cat > run.mjs <<'JS'
import { jsonSchemaToZod } from 'json-schema-to-zod';
import { z } from 'zod';
import Ajv from 'ajv/dist/2020.js';
const ajv = new Ajv.default({ strict: false, validateFormats: false });
const text = { type: 'string' };
const kind = (name) => ({ type: 'object', properties: { kind: { const: name } }, required: ['kind'] });
const tried = [
  ['oneOf', { oneOf: [kind('a'), kind('b')] }, { kind: 'b' }],
  ['anyOf', { anyOf: [kind('a'), kind('b')] }, { kind: 'b' }],
  ['const object', { const: { a: 1 } }, { a: 1 }],
  ['enum of lists', { enum: [[1, 2], [3, 4]] }, [3, 4]],
  ['patternProperties', { type: 'object', patternProperties: { '^x-': text } }, { 'x-note': 'b', count: 1 }],
  ['required, not described', { type: 'object', properties: { name: text }, required: ['id'] }, { id: 7 }],
  ['the same without id', { type: 'object', properties: { name: text }, required: ['id'] }, {}],
  ['ipv4', { type: 'string', format: 'ipv4' }, '10.0.0.1'],
];
for (const [name, schema, value] of tried) {
  let words;
  try {
    const result = new Function('z', 'return ' + jsonSchemaToZod(schema))(z).safeParse(value);
    words = result.success ? 'taken as ' + JSON.stringify(result.data) : 'refused';
  } catch (error) {
    words = `${error.name}: ${error.message}`;
  }
  console.log(`${name}: ajv ${ajv.validate(schema, value)}, ${words}`);
}
JS
for name in json-schema-to-zod zod; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
oneOf: ajv true, SyntaxError: Unexpected token ']'
anyOf: ajv true, taken as {"kind":"b"}
const object: ajv true, refused
enum of lists: ajv true, refused
patternProperties: ajv true, refused
required, not described: ajv true, taken as {}
the same without id: ajv false, taken as {}
ipv4: ajv true, TypeError: z.string(...).ip is not a function
END
