#!/usr/bin/env bash
# lokijs 1.5.12 (npm), find() with filters like those of MongoDB; mingo 7.2.7 (npm), which does what MongoDB does, asked the same.
# Behaviour: a field that is missing or null is smaller than anything, so "price below 15" finds all that have no price. A price that is a text compares as
# a number, and a text that is no number comes before or after by its letters. A plain date never equals the same date, and a plain text is not found in a
# list, though both are without an error. A dotted name fails where a part of it is a text.
# Seen:   {"price":{"$lt":15}}: pen, cup and the two notes without a price / {"due": a date}: none / {"tags":"red"}: none
# Expected by most: what MongoDB finds.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts lokijs@1.5.12 mingo@7.2.7 2> /dev/null
cat > run.mjs <<'JS'
import Loki from 'lokijs';
import { find } from 'mingo';
const due = () => new Date('2026-01-02T00:00:00Z');
const documents = () => [
  { id: 'pen', price: 2, due: due(), tags: ['red', 'blue'] },
  { id: 'cup', price: '9', tags: ['red'] },
  { id: 'bag', price: 40, due: null, tags: 'red' },
  { id: 'note', text: 'buy milk' },
  { id: 'task', text: 'call ann', price: null },
];
const rows = new Loki('shop').addCollection('rows');
for (const one of documents()) rows.insert(one);
const queries = [
  { price: { $lt: 15 } }, { price: { $gte: 0 } }, { price: { $gt: null } },
  { due: due() }, { due: { $lt: new Date('2027-01-01') } }, { tags: 'red' }, { tags: { $ne: 'red' } },
];
for (const query of queries) {
  const names = (found) => found.map((one) => one.id).join(', ') || 'none';
  console.log(`${JSON.stringify(query)}\n    lokijs: ${names(rows.find(query))}\n    mingo:  ${names(find(documents(), query).all())}`);
}
JS
echo "lokijs $(node -p "JSON.parse(require('fs').readFileSync('node_modules/lokijs/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"price":{"$lt":15}}
    lokijs: pen, cup, note, task
    mingo:  pen
{"price":{"$gte":0}}
    lokijs: pen, cup, bag
    mingo:  pen, bag
{"price":{"$gt":null}}
    lokijs: pen, cup, bag
    mingo:  none
{"due":"2026-01-02T00:00:00.000Z"}
    lokijs: none
    mingo:  pen
{"due":{"$lt":"2027-01-01T00:00:00.000Z"}}
    lokijs: pen, cup, bag, note, task
    mingo:  pen
{"tags":"red"}
    lokijs: bag
    mingo:  pen, cup, bag
{"tags":{"$ne":"red"}}
    lokijs: pen, cup, note, task
    mingo:  note, task
END
