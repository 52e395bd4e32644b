#!/usr/bin/env bash
# json-schema-merge-allof 0.8.1 (npm), under many makers of forms, types and tools out of OpenAPI and JSON Schema; ajv 8.17.1 as the judge.
# Behaviour: types are compared as words. An allOf of number and integer, which together mean integer, is refused as not compatible. In a list of types
# or in anyOf the integer is dropped without an error: [string, number] with [string, integer] becomes string, so the merged schema refuses 5, which the
# schema itself takes.
# Seen:   allOf number, integer: error / [string, number] and [string, integer]: string; 5 is valid before and not after
# Expected by most: each integer is a number, so integer stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-schema-merge-allof@0.8.1 ajv@8.17.1
cat > run.cjs <<'JS'
const merge = require('json-schema-merge-allof');
const Ajv = require('ajv');
const takes = (schema) => new Ajv({ strict: false }).compile(schema)(5);
for (const schema of [
  { allOf: [{ type: 'number' }, { type: 'integer' }] },
  { allOf: [{ type: 'number', minimum: 1 }, { type: 'number', multipleOf: 1 }] },
  { allOf: [{ type: ['string', 'number'] }, { type: ['string', 'integer'] }] },
  { allOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }] },
]) {
  console.log(JSON.stringify(schema) + ' takes 5: ' + takes(schema));
  try {
    const merged = merge(schema);
    console.log('    ' + JSON.stringify(merged) + ' takes 5: ' + takes(merged));
  } catch (error) {
    console.log('    ' + error.message.split('\n')[0]);
  }
}
JS
echo "json-schema-merge-allof $(node -p "require('./node_modules/json-schema-merge-allof/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
{"allOf":[{"type":"number"},{"type":"integer"}]} takes 5: true
    Could not resolve values for path:"type". They are probably incompatible. Values: 
{"allOf":[{"type":"number","minimum":1},{"type":"number","multipleOf":1}]} takes 5: true
    {"type":"number","minimum":1,"multipleOf":1} takes 5: true
{"allOf":[{"type":["string","number"]},{"type":["string","integer"]}]} takes 5: true
    {"type":"string"} takes 5: false
{"allOf":[{"anyOf":[{"type":"string"},{"type":"number"}]},{"anyOf":[{"type":"string"},{"type":"integer"}]}]} takes 5: true
    {"anyOf":[{"type":"string"}]} takes 5: false
END
