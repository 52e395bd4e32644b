#!/usr/bin/env bash
# best-effort-json-parser 1.5.1 (npm), which reads JSON that is not complete yet.
# Behaviour: it is exact for a finished text, and for an unfinished one it does not know exponents: at 1e3 the number is 1, the rest becomes a key,
# and so do the quotes and commas behind it, until the last bracket comes and all is right at once. A key that is only begun is a member
# with the value undefined, under each of its beginnings; a minus alone is 0.
# Seen:   {"n":1e3,"unit" -> n 1 and a key e3,"unit" / {"n":1e3,"unit":"m" -> n 1, e3,"unit" m / complete -> n 1000, unit m / {"a":- -> 0
# Expected by most: numbers as in JSON, and no member before its key is complete.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund best-effort-json-parser@1.5.1
cat > run.mjs <<'JS'
import { parse } from 'best-effort-json-parser';
const shown = (value) => Object.entries(value).map(([key, member]) => '[' + key + '] ' + JSON.stringify(member)).join(', ');
for (const text of ['{"n":1e3,"unit"', '{"n":1e3,"unit":"m"', '{"n":1e3,"unit":"m"}', '{"a":1,"un', '{"a":-']) console.log(text + ' -> ' + shown(parse(text)));
JS
echo "best-effort-json-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/best-effort-json-parser/package.json')).version")"
node run.mjs | tee out
printf '%s\n' '{"n":1e3,"unit" -> [n] 1, [e3,"unit"] undefined' '{"n":1e3,"unit":"m" -> [n] 1, [e3,"unit"] "m"' '{"n":1e3,"unit":"m"} -> [n] 1000, [unit] "m"' '{"a":1,"un -> [a] 1, [un] undefined' '{"a":- -> [a] 0' | diff out -
