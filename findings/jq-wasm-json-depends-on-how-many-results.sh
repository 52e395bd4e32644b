#!/usr/bin/env bash
# jq-wasm 1.0.1 (npm), jq as WebAssembly with a function json(data, program) that gives the parsed result.
# Behaviour: what comes depends on how many results the program had. One is itself, two are an array, none is null. So .[] of one record is an object and of two
# an array, an array as the only result looks like two results, and a search without a hit is the same as one that found null. Large integers, which
# the jq in it keeps, are rounded on the way out; raw() gives them.
# Seen:   .[].id of 2, 1, 0 records: ["a","b"] / "a" / null / two results 1 2 and one [1,2]: both [1,2] / id: ...992, raw ...993
# Expected by most: always an array of the results, or the first of them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jq-wasm@1.0.1
cat > run.mjs <<'JS'
import * as jq from 'jq-wasm';
const tried = [['[{"id":"a"},{"id":"b"}]', '.[].id'], ['[{"id":"a"}]', '.[].id'], ['[]', '.[].id'], ['[{"id":null}]', '.[].id'], ['null', '1, 2'], ['null', '[1, 2]'], ['null', '[], []'], ['{"id":9007199254740993}', '.id']];
for (const [data, program] of tried) console.log(`${program} of ${data}: json ${JSON.stringify(await jq.json(data, program))} raw ${JSON.stringify(await jq.raw(data, program, ['-c']))}`);
JS
echo "jq-wasm $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jq-wasm/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
.[].id of [{"id":"a"},{"id":"b"}]: json ["a","b"] raw "\"a\"\n\"b\""
.[].id of [{"id":"a"}]: json "a" raw "\"a\""
.[].id of []: json null raw ""
.[].id of [{"id":null}]: json null raw "null"
1, 2 of null: json [1,2] raw "1\n2"
[1, 2] of null: json [1,2] raw "[1,2]"
[], [] of null: json [[],[]] raw "[]\n[]"
.id of {"id":9007199254740993}: json 9007199254740992 raw "9007199254740993"
END
