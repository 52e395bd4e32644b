#!/usr/bin/env bash
# quickjs-emscripten 0.32.0 (npm), the sandbox in which many servers run the JavaScript that models write; context.dump(), which brings a result out.
# Behaviour: one BigInt anywhere in a result, which is how exact ids and sums are held, replaces the whole of it, without an error: an object with ten rows is the text "[object Object]", a list is
# its items with commas, and a list of one BigInt is a number. A BigInt alone comes out right. A text is cut at its first zero character, while within a list it is whole; a Map or a Set is {}.
# Numbers and days in the format of a place come in another one, and localeCompare sorts ä behind z, for there is no Intl, and the options are passed over.
# Seen:   ({ total: 12n, rows: [1, 2] }): "[object Object]" / [5n]: 5 / [{ id: 1n }, { id: 2n }]: "[object Object],[object Object]" / (1234567.891).toLocaleString("en-US"): 1234567.891
# Most would guess: the BigInt comes out as one, or the call fails as JSON.stringify does.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund quickjs-emscripten@0.32.0
cat > run.mjs <<'JS'
import { getQuickJS } from 'quickjs-emscripten';
const quickjs = await getQuickJS();
for (const code of [
  '12n', '({ total: 12n, rows: [1, 2] })', '({ rows: [{ id: 1n }, { id: 2n }] })', '[{ id: 1n }, { id: 2n }]', '[5n]', '[5n, 6n]', '["a", 1n]', '({ total: 12, rows: [1, 2] })',
  '"a\\0b"', '["a\\0b"]', '[new Map([["a", 1]]), new Set([1])]', '(1234567.891).toLocaleString("en-US")', 'new Date(0).toLocaleDateString("de-DE", { timeZone: "UTC" })', '["ä", "z", "a"].sort((a, b) => a.localeCompare(b))',
]) {
  const context = quickjs.newContext();
  const value = context.dump(context.unwrapResult(context.evalCode(code)));
  console.log(`${code}: ${typeof value} ${typeof value === 'bigint' ? value : JSON.stringify(value)}`);
}
process.exit(0);
JS
echo "quickjs-emscripten $(node -p "JSON.parse(require('fs').readFileSync('node_modules/quickjs-emscripten/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
12n: bigint 12
({ total: 12n, rows: [1, 2] }): string "[object Object]"
({ rows: [{ id: 1n }, { id: 2n }] }): string "[object Object]"
[{ id: 1n }, { id: 2n }]: string "[object Object],[object Object]"
[5n]: number 5
[5n, 6n]: string "5,6"
["a", 1n]: string "a,1"
({ total: 12, rows: [1, 2] }): object {"total":12,"rows":[1,2]}
"a\0b": string "a"
["a\0b"]: object ["a\u0000b"]
[new Map([["a", 1]]), new Set([1])]: object [{},{}]
(1234567.891).toLocaleString("en-US"): string "1234567.891"
new Date(0).toLocaleDateString("de-DE", { timeZone: "UTC" }): string "01/01/1970"
["ä", "z", "a"].sort((a, b) => a.localeCompare(b)): object ["a","z","ä"]
END
