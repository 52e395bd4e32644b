#!/usr/bin/env bash
# js-to-json-logic 0.1.3 (npm) makes JSON Logic of JavaScript, json-logic-js 2.0.5 (npm) runs it, as the first's README advises; JavaScript itself beside them.
# Behaviour: "+" between texts becomes the "+" of JSON Logic, which adds numbers: first + " " + last is NaN, in JSON null, and "7" + 1 is 8. Only a template
# literal joins. What is missing is null there and no undefined, so a price that is missing is less than 1 and more than -1. An empty list is false. "in"
# asks for a member and not for a place. The table of supported syntax names "+" and comparisons as full and says nothing of it.
# Seen:   first + " " + last is null / order + 1 with an order of "7" is 8 / price < 1 without a price is true / list ? "some" : "none" with [] is "none"
# Expected by most: "Ann Lee", "71", false and "some", as the same line gives in JavaScript.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts js-to-json-logic@0.1.3 json-logic-js@2.0.5 2> /dev/null
cat > run.cjs <<'JS'
const transform = require('js-to-json-logic');
const logic = require('json-logic-js');
const data = { first: 'Ann', last: 'Lee', order: '7', list: [], price: undefined, count: 5 };
const lines = ['first + " " + last', '`${first} ${last}`', '"No. " + count', 'order + 1', 'price < 1', 'price > -1', 'list ? "some" : "none"', '!list',
  'count in [1, 5]', 'count > 1 && count < 9'];
for (const line of lines) {
  const plain = new Function(...Object.keys(data), `return (${line});`)(...Object.values(data));
  const rule = (transform.default ?? transform)(line);
  const found = logic.apply(rule, JSON.parse(JSON.stringify(data)));
  console.log(`${line}\n    JavaScript ${JSON.stringify(plain)}, JSON Logic ${JSON.stringify(found)}`);
}
JS
for one in js-to-json-logic json-logic-js; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
node run.cjs | tee out
diff out - <<'END'
first + " " + last
    JavaScript "Ann Lee", JSON Logic null
`${first} ${last}`
    JavaScript "Ann Lee", JSON Logic "Ann Lee"
"No. " + count
    JavaScript "No. 5", JSON Logic null
order + 1
    JavaScript "71", JSON Logic 8
price < 1
    JavaScript false, JSON Logic true
price > -1
    JavaScript false, JSON Logic true
list ? "some" : "none"
    JavaScript "some", JSON Logic "none"
!list
    JavaScript false, JSON Logic true
count in [1, 5]
    JavaScript false, JSON Logic true
count > 1 && count < 9
    JavaScript true, JSON Logic true
END
