#!/usr/bin/env bash
# json0-ot-diff 1.1.2 (npm), the operations between two JSON documents, carried out with ot-json0 1.1.0.
# Behaviour: values are compared with ==. A change of "007" to 7, of 1 to true, of "" to 0 or false, and of an empty list to an empty object or text gives no operation, so that the other side keeps the old value for ever;
# so does a list in place of an object with the keys 0, 1. A change of null to 0 or of a text to another text is found.
# Seen:   {"v":"007"} to {"v":7}: [] / {"v":[]} to {"v":{}}: [] / {"v":false} to {"v":0}: []
# Expected by most: operations that make the second document of the first.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund json0-ot-diff@1.1.2 ot-json0@1.1.0
cat > run.mjs <<'JS'
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const diff = require('json0-ot-diff');
const { type } = require('ot-json0');
console.log('json0-ot-diff', require('json0-ot-diff/package.json').version);
for (const [before, after] of [['a', 'b'], [null, 0], [5, 7], ['007', 7], [1, true], ['', 0], [false, ''], [[], {}], [[], ''], [{ 0: 'x' }, ['x']], [['1', 2], [1, 2]]]) {
  const operations = diff({ v: before }, { v: after });
  const made = type.apply({ v: structuredClone(before) }, operations);
  console.log(`${JSON.stringify(before)} to ${JSON.stringify(after)}: ${operations.length} operations, made ${JSON.stringify(made.v)}`);
}
JS
node run.mjs | tee out
diff out - <<'END'
json0-ot-diff 1.1.2
"a" to "b": 1 operations, made "b"
null to 0: 2 operations, made 0
5 to 7: 1 operations, made 7
"007" to 7: 0 operations, made "007"
1 to true: 0 operations, made 1
"" to 0: 0 operations, made ""
false to "": 0 operations, made false
[] to {}: 0 operations, made []
[] to "": 0 operations, made []
{"0":"x"} to ["x"]: 0 operations, made {"0":"x"}
["1",2] to [1,2]: 0 operations, made ["1",2]
END
