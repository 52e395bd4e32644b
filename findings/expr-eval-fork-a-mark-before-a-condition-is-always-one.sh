#!/usr/bin/env bash
# expr-eval-fork 3.0.3 (npm), the maintained copy of expr-eval, expressions from texts.
# Behaviour: an exclamation mark is the factorial, and it is also taken BEFORE its value without an error. So !ready is 1 for true and for false, and
# each condition that begins with it holds. Texts joined with + are NaN without an error, and a field that is not there is neither greater nor less.
# Seen:   !ready: 1 and 1 / !ready ? "wait" : "go": wait and wait / "a" + "b": NaN / length(12345): 5
# Expected by most: the opposite, or an error, since the operator for "not" is called not.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund expr-eval-fork@3.0.3
cat > run.cjs <<'JS'
const { Parser } = require('expr-eval-fork');
console.log('expr-eval-fork', JSON.parse(require('fs').readFileSync('node_modules/expr-eval-fork/package.json')).version);
const values = (text) => [true, false].map((ready) => Parser.evaluate(text, { ready, order: { total: 7 }, n: 3 })).join(' and ');
for (const text of ['!ready', '!ready ? "wait" : "go"', '!(n > 1)', 'not ready', 'n!', '"a" + "b"', '"1" + 2', 'length(12345)', 'order.totl > 5', 'order.totl <= 5'])
  console.log(text + ': ' + values(text));
JS
node run.cjs | tee out
diff out - <<'END'
expr-eval-fork 3.0.3
!ready: 1 and 1
!ready ? "wait" : "go": wait and wait
!(n > 1): 1 and 1
not ready: false and true
n!: 6 and 6
"a" + "b": NaN and NaN
"1" + 2: 3 and 3
length(12345): 5 and 5
order.totl > 5: false and false
order.totl <= 5: false and false
END
