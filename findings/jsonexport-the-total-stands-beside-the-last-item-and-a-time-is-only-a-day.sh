#!/usr/bin/env bash
# jsonexport 3.2.0 (npm), read back by papaparse 5.7.1 (npm).
# Behaviour: a record with a list takes several rows. Fields before the list stand in its first row, fields behind it in its last, so the total and the mark of
# an order stand in a row without an id. The first item of a second list stands beside the last of the first. A date loses its time and is written as in the
# United States. Where the last fields are missing the row has fewer cells than the head. README: options for filling, none of which is said to be needed.
# Seen:   {id, items of two, total: 3}: "1,2,", ",3,3" / 22:30 on 1 December: 12/1/2026
# Expected by most: the total in the row of the id, and a date with its time.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts jsonexport@3.2.0 papaparse@5.7.1 2> /dev/null
cat > run.cjs <<'JS'
const write = require('jsonexport');
const Papa = require('papaparse');
const when = new Date(Date.UTC(2026, 11, 1, 22, 30));
const lists = {
  orders: [{ id: 1, when, items: [{ sku: 'A' }, { sku: 'B' }], total: 30, paid: true }, { id: 2, when, items: [{ sku: 'C' }], total: 5, paid: false }],
  'two lists': [{ id: 1, items: [{ sku: 'A' }, { sku: 'B' }], notes: [{ text: 'first' }, { text: 'second' }] }],
  'a field is missing': [{ id: 1, name: 'Ann' }, { id: 2, name: 'Bob', town: 'Bonn' }],
};
(async () => {
  for (const [name, list] of Object.entries(lists)) {
    const text = await write(list);
    console.log(`${name}\n${text}`);
    const read = Papa.parse(text, { header: true });
    console.log(`    totals by id: ${read.data.map((row) => `${row.id || 'none'} ${row.total ?? '-'}`).join(', ')}; faults: ${read.errors.map((one) => one.code).join(', ') || 'none'}`);
  }
})();
JS
for one in jsonexport papaparse; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
TZ=UTC LC_ALL=C node run.cjs | tee out
diff out - <<'END'
orders
id,when,items.sku,total,paid
1,12/1/2026,A,,
,,B,30,true
2,12/1/2026,C,5,false
    totals by id: 1 , none 30, 2 5; faults: none
two lists
id,items.sku,notes.text
1,A,
,B,first
,,second
    totals by id: 1 -, none -, none -; faults: none
a field is missing
id,name,town
1,Ann
2,Bob,Bonn
    totals by id: 1 -, 2 -; faults: TooFewFields
END
