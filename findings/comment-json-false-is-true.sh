#!/usr/bin/env bash
# comment-json 5.0.0 (npm), which reads JSON with comments and keeps these; `parse(text)` without options.
# Behaviour: where the whole text is one number, text or boolean, an object comes back, not the value: parse('false') counts as true in an if,
# parse('1') === 1 is false and typeof says object; without comments too, and only where the third parameter is left out. null stays null. An object
# that is copied with {...} or Object.assign has lost its comments without an error, and so has a list after map, filter or [...], while slice keeps
# them.
# Seen:   if (parse('false')): true / typeof parse('"a"'): object / {...parse(text)}, map: no comments, slice: comments
# Expected by most: as JSON.parse where there is no comment, and a copy of the object keeps what the object has.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund comment-json@5.0.0
cat > run.cjs <<'JS'
const { assign, parse, stringify } = require('comment-json');
for (const text of ['false', '0', '"a"', 'null']) console.log(`${text}: ${typeof parse(text)}, ${parse(text) ? 'true' : 'false'}; without comments: ${typeof parse(text, null, true)}`);
const whole = parse('{\n  // one\n  "a": 1\n}');
const list = parse('[\n  // one\n  1,\n  // two\n  2\n]');
for (const [name, value] of Object.entries({ whole, 'spread': { ...whole }, 'Object.assign': Object.assign({}, whole), 'its own assign': assign({}, whole), list, 'spread list': [...list], map: list.map((item) => item), filter: list.filter((item) => item > 1), slice: list.slice(1) })) console.log(name + ': ' + stringify(value, null, 1).replace(/\s*\n\s*/g, ' '));
JS
echo "comment-json $(node -p "JSON.parse(require('fs').readFileSync('node_modules/comment-json/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
false: object, true; without comments: boolean
0: object, true; without comments: number
"a": object, true; without comments: string
null: object, false; without comments: object
whole: { // one "a": 1 }
spread: { "a": 1 }
Object.assign: { "a": 1 }
its own assign: { // one "a": 1 }
list: [ // one 1, // two 2 ]
spread list: [ 1, 2 ]
map: [ 1, 2 ]
filter: [ 2 ]
slice: [ // two 2 ]
END
