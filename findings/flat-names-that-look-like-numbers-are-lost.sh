#!/usr/bin/env bash
# flat 6.0.1 (npm), which makes nested JSON flat and nested again, default settings.
# Behaviour: unflatten(flatten(x)) is not x where a key can be taken for a number in any notation of JavaScript. Months "01" and "02" become
# positions 1 and 2 of a list, "001" and "1" one entry, the commit "7e2" the position 700, "0x10" 16, "1.0" (a dot, and so two steps) a list in a
# list. Negative ones, "-1" or "+Infinity", are set on a list where JSON does not write them: the values are gone. The empty key, and one of a
# space, is position 0.
# Seen:   {"m":{"01":"jan","02":"feb"}}: {"m":[null,"jan","feb"]} / {"t":{"-1":"low","-2":"lower"}}: {"t":[]} / {"a":{"":1}}: {"a":[1]} / 7e2: 701
# places
# Expected by most: an object stays an object, or at least only 0, 1, 2 are positions.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund flat@6.0.1
cat > run.mjs <<'JS'
import { flatten, unflatten } from 'flat';
const tried = [{ m: { '01': 'jan', '02': 'feb' } }, { t: { '-1': 'low', '-2': 'lower' } }, { v: { '001': 'x', 1: 'y' } },
  { h: { '0x02': 'a' } }, { a: { '': 1 } }, { b: { x: 1, '02': 2 } }];
for (const one of tried) console.log(JSON.stringify(one) + ': ' + JSON.stringify(unflatten(flatten(one))));
console.log('7e2: ' + unflatten(flatten({ commits: { '7e2': 'first' } })).commits.length + ' places');
JS
echo "flat $(node -p "JSON.parse(require('fs').readFileSync('node_modules/flat/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"m":{"01":"jan","02":"feb"}}: {"m":[null,"jan","feb"]}
{"t":{"-1":"low","-2":"lower"}}: {"t":[]}
{"v":{"1":"y","001":"x"}}: {"v":[null,"x"]}
{"h":{"0x02":"a"}}: {"h":[null,null,"a"]}
{"a":{"":1}}: {"a":[1]}
{"b":{"x":1,"02":2}}: {"b":{"2":2,"x":1}}
7e2: 701 places
END
