#!/usr/bin/env bash
# cel-js 0.8.2 (npm), an evaluator of CEL, the expression language of policies and filters, in JavaScript.
# Behaviour: escapes in texts are never read: "\n" is a backslash and an n, and a text with quotes or a line break is equal to no text that can be
# written. Whole numbers are shared as floats, so 7 / 2 is 3.5, and beyond 2^53 two different ids are equal. "or" does not forgive an unknown name, as
# CEL demands, when the other side is true.
# Seen:   size("a\nb"): 4 / text == "a\nb": false / 7 / 2: 3.5 / 9007199254740993 == 9007199254740992: true / missing > 1 || true: an error
# Expected by most: 3, true, 3, false, true.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund cel-js@0.8.2
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { evaluate } from 'cel-js';
console.log('cel-js', JSON.parse(readFileSync('node_modules/cel-js/package.json')).version);
const data = { text: 'a\nb', said: 'say "hi"', items: [1, 2, 3] };
for (const line of String.raw`
size("a\nb")
text == "a\nb"
said == "say \"hi\""
7 / 2
7 / 2 * 2 == 6
9007199254740993 == 9007199254740992
missing > 1 || true
false && missing > 1
items[size(items) / 2]`.trim().split('\n')) {
  let seen;
  try { seen = JSON.stringify(evaluate(line, data)) ?? 'undefined'; } catch { seen = 'an error'; }
  console.log(line + ': ' + seen);
}
JS
node run.mjs | tee out
diff out - <<'END'
cel-js 0.8.2
size("a\nb"): 4
text == "a\nb": false
said == "say \"hi\"": false
7 / 2: 3.5
7 / 2 * 2 == 6: false
9007199254740993 == 9007199254740992: true
missing > 1 || true: an error
false && missing > 1: false
items[size(items) / 2]: an error
END
