#!/usr/bin/env bash
# toonkit 2.0.2 (npm): jsonToToon and toonToJson, "with full type support, nested structures". (Its TOON has types; it is another format than that of @toon-format/toon.)
# Behaviour: its own text read by itself is other data. An object within a record becomes the text "{". A list of plain values is not written at all. Of a text of several lines the first is
# left, an empty text is gone, and a comma in a field of a table ends the value there. A list at the top becomes an object of "{". No error anywhere.
# Seen:   {"id":"007","place":{"x":1},"tags":["a","b"],"note":"one\ntwo"} -> {"id":"007","place":"{","note":"one"} / "Ann, B" -> "Ann"
# Expected by most: the same record again.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund toonkit@2.0.2 2> /dev/null
cat > run.cjs <<'JS'
const { jsonToToon, toonToJson } = require('toonkit');
for (const data of [
  { id: '007', price: 1.5, open: false, none: null },
  { place: { x: 1, y: 'q' }, name: 'Ann' },
  { tags: ['a', 'b'], name: 'Ann' },
  { note: 'one\ntwo', name: 'Ann' },
  { note: '', name: 'Ann' },
  { users: [{ id: 1, name: 'Ann, B', role: 'x' }, { id: 2, name: 'Bo', role: 'y' }] },
  [{ a: 1 }, { a: 2 }],
]) {
  console.log(`${JSON.stringify(data)} -> ${JSON.stringify(toonToJson(jsonToToon(data)))}`);
}
JS
node -p "'toonkit ' + JSON.parse(require('fs').readFileSync('node_modules/toonkit/package.json')).version"
node run.cjs | tee out
diff out - <<'END'
{"id":"007","price":1.5,"open":false,"none":null} -> {"id":"007","price":1.5,"open":false,"none":null}
{"place":{"x":1,"y":"q"},"name":"Ann"} -> {"place":"{","name":"Ann"}
{"tags":["a","b"],"name":"Ann"} -> {"name":"Ann"}
{"note":"one\ntwo","name":"Ann"} -> {"note":"one","name":"Ann"}
{"note":"","name":"Ann"} -> {"name":"Ann"}
{"users":[{"id":1,"name":"Ann, B","role":"x"},{"id":2,"name":"Bo","role":"y"}]} -> {"users":[{"id":1,"name":"Ann","role":" B"},{"id":2,"name":"Bo","role":"y"}]}
[{"a":1},{"a":2}] -> {"0":"{","1":"{"}
END
