#!/usr/bin/env bash
# json-rules-engine 7.3.1 (npm), rules as JSON, its own operators.
# Behaviour: "contains" and "doesNotContain" work for lists only. For a text BOTH are false, so a rule and its opposite are silent; "in" takes a
# text and looks for a part of it. "greaterThan" takes numbers in texts, but two of them are compared as letters: "10" is less than "9",
# while 10 is greater than "9". An "any" without conditions is true.
# Seen:   contains 0, doesNotContain 0 / in 1 / "10" greaterThan "9": 0, lessThan: 1 / 10 greaterThan "9": 1 / any []: 1
# Expected by most: one of a rule and its opposite holds; 10 is greater than 9; none of no conditions holds.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-rules-engine@7.3.1
cat > run.cjs <<'JS'
const { Engine } = require('json-rules-engine');
console.log('json-rules-engine', JSON.parse(require('fs').readFileSync('node_modules/json-rules-engine/package.json')).version);
const events = async (conditions, facts) => (await new Engine([{ conditions, event: { type: 'hit' } }]).run(facts)).events.length;
(async () => {
  for (const [value, operator, other] of [['refund please', 'contains', 'refund'], ['hello', 'doesNotContain', 'refund'], [['refund'], 'contains', 'refund'],
    [['hello'], 'doesNotContain', 'refund'], ['fun', 'in', 'refund'], ['10', 'greaterThan', '9'], ['10', 'lessThan', '9'], [10, 'greaterThan', '9']])
    console.log(JSON.stringify(value), operator, JSON.stringify(other) + ': ' + await events({ all: [{ fact: 'value', operator, value: other }] }, { value }));
  console.log('any []: ' + await events({ any: [] }, {}));
})();
JS
node run.cjs | tee out
diff out - <<'END'
json-rules-engine 7.3.1
"refund please" contains "refund": 0
"hello" doesNotContain "refund": 0
["refund"] contains "refund": 1
["hello"] doesNotContain "refund": 1
"fun" in "refund": 1
"10" greaterThan "9": 0
"10" lessThan "9": 1
10 greaterThan "9": 1
any []: 1
END
