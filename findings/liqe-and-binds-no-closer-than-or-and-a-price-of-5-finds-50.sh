#!/usr/bin/env bash
# liqe 3.8.7 (npm), a search language "like Lucene" over records in memory; SQLite is asked the same.
# Behaviour: AND and OR are taken from left to right. "status:open OR status:closed AND price:150" is (open OR closed) AND 150 and leaves out all open ones; turned round it finds them.
# A number is searched in the digits: price:5 finds 50, 150, -5 and 0.5, and price:15 finds 150, though price:>10 compares numbers. With OR the order of the
# answers follows the terms, not the records.
# Seen:   open OR closed AND 150: 3 / closed AND 150 OR open: 3, 1, 2, 4, 5 / price:5: 1 to 5 / price:15: 3
# Expected by most: AND binds closer, as in SQL; price:5 finds 5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts liqe@3.8.7 2> /dev/null
cat > run.cjs <<'JS'
const { filter, parse } = require('liqe');
const { execFileSync } = require('child_process');
const rows = [
  { id: 1, price: 5, status: 'open' }, { id: 2, price: 50, status: 'open' }, { id: 3, price: 150, status: 'closed' },
  { id: 4, price: -5, status: 'open' }, { id: 5, price: 0.5, status: 'open' }, { id: 6, price: 7, status: 'closed' },
];
const sqlite = `import json, sqlite3, sys
db = sqlite3.connect(':memory:'); db.execute('create table t (id integer, price real, status text)')
db.executemany('insert into t values (:id, :price, :status)', json.loads(sys.argv[1]))
print(', '.join(str(one[0]) for one in db.execute('select id from t where ' + sys.argv[2] + ' order by rowid')) or 'none', end='')`;
for (const [query, sql] of [
  ['status:open OR status:closed AND price:150', "status = 'open' or status = 'closed' and price = 150"],
  ['status:closed AND price:150 OR status:open', "status = 'closed' and price = 150 or status = 'open'"],
  ['status:open OR (status:closed AND price:150)', "status = 'open' or (status = 'closed' and price = 150)"],
  ['price:5', 'price = 5'], ['price:15', 'price = 15'], ['price:0', 'price = 0'], ['NOT price:5', 'not price = 5'], ['price:>10', 'price > 10'], ['id:6 OR id:1', 'id = 6 or id = 1'],
]) {
  console.log(`${query}\n    liqe:   ${filter(parse(query), rows).map((one) => one.id).join(', ') || 'none'}\n    SQLite: ${execFileSync('python3', ['-c', sqlite, JSON.stringify(rows), sql])}`);
}
JS
echo "liqe $(node -p "JSON.parse(require('fs').readFileSync('node_modules/liqe/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
status:open OR status:closed AND price:150
    liqe:   3
    SQLite: 1, 2, 3, 4, 5
status:closed AND price:150 OR status:open
    liqe:   3, 1, 2, 4, 5
    SQLite: 1, 2, 3, 4, 5
status:open OR (status:closed AND price:150)
    liqe:   1, 2, 4, 5, 3
    SQLite: 1, 2, 3, 4, 5
price:5
    liqe:   1, 2, 3, 4, 5
    SQLite: 1
price:15
    liqe:   3
    SQLite: none
price:0
    liqe:   2, 3, 5
    SQLite: none
NOT price:5
    liqe:   6
    SQLite: 2, 3, 4, 5, 6
price:>10
    liqe:   2, 3
    SQLite: 2, 3
id:6 OR id:1
    liqe:   6, 1
    SQLite: 1, 6
END
