#!/usr/bin/env bash
# mingo 7.2.7 (npm), queries and pipelines of MongoDB in JavaScript: values of other types.
# Behaviour: {$mod: [5, 0]} finds what is no number: a text, null, a date. $toInt makes 0 of an empty text and 31 of 0x1F, where MongoDB gives an error
# (and $convert its onError). In a pipeline $cmp says that a text comes behind a number, as in MongoDB, but $gt of the same two values says false.
# Seen:   $mod: number, text, null, date / $toInt of '': 0 / $convert of '' with onError: 0 / $cmp 1, $gt false
# Expected by most: $mod finds the number alone; errors; 1 and true.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mingo@7.2.7
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { aggregate, find } from 'mingo';
console.log('mingo', JSON.parse(readFileSync('node_modules/mingo/package.json')).version);
const stock = [{ kind: 'number', n: 15 }, { kind: 'other number', n: 7 }, { kind: 'text', n: '10' }, { kind: 'null', n: null }, { kind: 'date', n: new Date(50) }, { kind: 'none' }];
console.log('$mod [5, 0]: ' + find(stock, { n: { $mod: [5, 0] } }).all().map((one) => one.kind).join(', '));
const show = (name, expression) => {
  let seen;
  try { seen = JSON.stringify(aggregate([{}], [{ $project: { _id: 0, value: expression } }])[0].value); } catch { seen = 'an error'; }
  console.log(name + ': ' + seen);
};
show("$toInt ''", { $toInt: '' });
show("$toInt '0x1F'", { $toInt: '0x1F' });
show("$toInt 'abc'", { $toInt: 'abc' });
show("$convert '' to int, onError", { $convert: { input: '', to: 'int', onError: 'no number' } });
show("$convert 'abc' to int, onError", { $convert: { input: 'abc', to: 'int', onError: 'no number' } });
show("$cmp ['10', 9]", { $cmp: ['10', 9] });
show("$gt ['10', 9]", { $gt: ['10', 9] });
JS
node run.mjs | tee out
diff out - <<'END'
mingo 7.2.7
$mod [5, 0]: number, text, null, date
$toInt '': 0
$toInt '0x1F': 31
$toInt 'abc': an error
$convert '' to int, onError: 0
$convert 'abc' to int, onError: "no number"
$cmp ['10', 9]: 1
$gt ['10', 9]: false
END
