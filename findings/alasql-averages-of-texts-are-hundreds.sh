#!/usr/bin/env bash
# alasql 4.19.1 (npm), SQL over arrays of objects and over its own tables.
# Behaviour: MAX, MIN and SUM of a column of texts answer nothing at all, neither null nor an error: the member is missing. So the last day of a column of days
# is not there, in a table whose column is declared STRING too. AVG of the same column puts the digits one behind the other and divides what that spells: of "10", "9"
# and "1" it is 363.67, a third of 1091. Where one value of many is a text, the sum depends on the order: it begins anew
# behind the text, or is a text itself. ORDER BY reads texts as one would think, and a CAST helps.
# Seen:   "10","9","1": AVG 363.6666666666667, SUM, MIN, MAX missing / days: MAX missing / 10,"n/a",1: SUM 1 / 1,10,"n/a": SUM "11n/a" / CAST: AVG 6.67
# Expected by most: the greatest text, as in any SQL, and the sum and the average of the numbers, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts alasql@4.19.1 2> /dev/null
cat > run.cjs <<'JS'
const alasql = require('alasql');
const of = (column) => `COUNT(${column}) AS n, SUM(${column}) AS s, AVG(${column}) AS a, MIN(${column}) AS lo, MAX(${column}) AS hi`;
for (const values of [[10, 9, 1], ['10', '9', '1'], [10, 'n/a', 1], [1, 10, 'n/a'], ['2026-01-02', '2026-03-04'], ['pear', 'apple']])
  console.log(`${JSON.stringify(values)}: ${JSON.stringify(alasql(`SELECT ${of('v')} FROM ?`, [values.map((v) => ({ v }))]))}`);
console.log('grouped: ' + JSON.stringify(alasql('SELECT g, MAX(d) AS hi, AVG(p) AS a FROM ? GROUP BY g', [[{ g: 1, d: '2026-01-02', p: '10' }, { g: 1, d: '2026-03-04', p: '9' }]])));
console.log('cast: ' + JSON.stringify(alasql('SELECT AVG(CAST(v AS NUMBER)) AS a FROM ?', [[{ v: '10' }, { v: '9' }, { v: '1' }]])));
console.log('ordered: ' + JSON.stringify(alasql('SELECT v FROM ? ORDER BY v DESC', [[{ v: '2026-01-02' }, { v: '2026-03-04' }]])));
alasql("CREATE TABLE days (d STRING, n INT); INSERT INTO days VALUES ('2026-01-02', 5), ('2026-03-04', 7)");
console.log('table: ' + JSON.stringify(alasql('SELECT MAX(d) AS hi, SUM(n) AS s FROM days')));
JS
echo "alasql $(node -p "JSON.parse(require('fs').readFileSync('node_modules/alasql/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
[10,9,1]: [{"n":3,"s":20,"a":6.666666666666667,"lo":1,"hi":10}]
["10","9","1"]: [{"n":3,"a":363.6666666666667}]
[10,"n/a",1]: [{"n":3,"s":1,"lo":1,"hi":10}]
[1,10,"n/a"]: [{"n":3,"s":"11n/a","lo":1,"hi":10}]
["2026-01-02","2026-03-04"]: [{"n":2}]
["pear","apple"]: [{"n":2}]
grouped: [{"g":1,"a":54.5}]
cast: [{"a":6.666666666666667}]
ordered: [{"v":"2026-03-04"},{"v":"2026-01-02"}]
table: [{"s":12}]
END
