#!/usr/bin/env bash
# @cloudflare/cabidela 0.2.4 (npm), a validator of JSON Schema for Workers. Its list of limits names several types at once, patternProperties, dependent rules and if/then/else.
# Behaviour: a list of texts and numbers is never looked at: neither items nor minItems, maxItems, uniqueItems and contains. So ["x"] passes for a list of numbers; with an object or true
# in it the items are checked. oneOf and anyOf of a field that is not required are not checked (no match and two matches pass).
# Seen:   {"sizes":["large"]} for numbers: passes / {"sizes":[true]}: refused / {"unit":true} for anyOf text, number: passes
# Expected by most: refused, each of them (the limits name none of these).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @cloudflare/cabidela@0.2.4 2> /dev/null
cat > run.mjs <<'JS'
import { Cabidela } from '@cloudflare/cabidela';
const ask = (rule, value) => {
  const schema = { type: 'object', properties: { field: rule } };
  let answer = 'passes';
  try { new Cabidela(structuredClone(schema)).validate({ field: value }); } catch { answer = 'refused'; }
  console.log(`${JSON.stringify(rule)}: ${JSON.stringify(value)}: ${answer}`);
};
ask({ type: 'number', minimum: 0 }, -1);
ask({ type: 'array', items: { type: 'number' } }, ['large']);
ask({ type: 'array', items: { type: 'number' } }, [true]);
ask({ type: 'array', items: { type: 'string', maxLength: 3 } }, ['abcdef']);
ask({ type: 'array', items: { type: 'string' }, minItems: 2 }, ['a']);
ask({ type: 'array', items: { type: 'number' }, uniqueItems: true }, [1, 1]);
ask({ anyOf: [{ type: 'string' }, { type: 'number' }] }, true);
ask({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 5);
ask({ oneOf: [{ type: 'string', maxLength: 2 }, { type: 'number', minimum: 0 }] }, -5);
JS
node -p "'cabidela ' + JSON.parse(require('fs').readFileSync('node_modules/@cloudflare/cabidela/package.json')).version"
node run.mjs | tee out
diff out - <<'END'
{"type":"number","minimum":0}: -1: refused
{"type":"array","items":{"type":"number"}}: ["large"]: passes
{"type":"array","items":{"type":"number"}}: [true]: refused
{"type":"array","items":{"type":"string","maxLength":3}}: ["abcdef"]: passes
{"type":"array","items":{"type":"string"},"minItems":2}: ["a"]: passes
{"type":"array","items":{"type":"number"},"uniqueItems":true}: [1,1]: passes
{"anyOf":[{"type":"string"},{"type":"number"}]}: true: passes
{"oneOf":[{"type":"number"},{"type":"integer"}]}: 5: passes
{"oneOf":[{"type":"string","maxLength":2},{"type":"number","minimum":0}]}: -5: passes
END
