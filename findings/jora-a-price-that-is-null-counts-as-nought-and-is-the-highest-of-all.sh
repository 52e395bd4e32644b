#!/usr/bin/env bash
# jora 1.0.0-beta.16 (npm), a query language for JSON.
# Behaviour: null counts as nought in avg() and median(), and an empty text does too, while a missing field and a word are passed over. In max() and in a
# falling order null is the highest, so the dearest product is the one without a price. A missing field is not. A filter "below 6" keeps what is null.
# Seen:   prices 10 and null: mean 5, max null / prices 10 and missing: mean 10, max 10 / [5, null, 9]: sorted falling null, 9, 5
# Expected by most: null as missing, or as the least in both; mean 10 and max 10.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts jora@1.0.0-beta.16 2> /dev/null
cat > run.cjs <<'JS'
const jora = require('jora');
const goods = (...prices) => prices.map((price, at) => (price === undefined ? { name: 'abc'[at] } : { name: 'abc'[at], price }));
const lists = [goods(10, null), goods(10, undefined), goods(10, ''), goods(10, 'n/a'), goods(5, null, 9)];
for (const list of lists) {
  console.log(JSON.stringify(list));
  for (const query of ['avg(=> price)', 'median(=> price)', 'max(=> price).name', 'sort(price desc).name', '.[price < 6].name']) {
    console.log(`    ${query}: ${JSON.stringify(jora(query)(list))}`);
  }
}
JS
echo "jora $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jora/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
[{"name":"a","price":10},{"name":"b","price":null}]
    avg(=> price): 5
    median(=> price): 5
    max(=> price).name: "b"
    sort(price desc).name: ["b","a"]
    .[price < 6].name: ["b"]
[{"name":"a","price":10},{"name":"b"}]
    avg(=> price): 10
    median(=> price): 10
    max(=> price).name: "a"
    sort(price desc).name: ["b","a"]
    .[price < 6].name: []
[{"name":"a","price":10},{"name":"b","price":""}]
    avg(=> price): 5
    median(=> price): 5
    max(=> price).name: "a"
    sort(price desc).name: ["b","a"]
    .[price < 6].name: ["b"]
[{"name":"a","price":10},{"name":"b","price":"n/a"}]
    avg(=> price): null
    median(=> price): null
    max(=> price).name: "b"
    sort(price desc).name: ["b","a"]
    .[price < 6].name: []
[{"name":"a","price":5},{"name":"b","price":null},{"name":"c","price":9}]
    avg(=> price): 4.666666666666667
    median(=> price): 5
    max(=> price).name: "b"
    sort(price desc).name: ["b","c","a"]
    .[price < 6].name: ["a","b"]
END
