#!/usr/bin/env bash
# @mastra/rag 2.6.4 (npm), MDocument.fromJSON(text).chunk({ strategy: 'json', maxSize }), which cuts a JSON document into pieces for a search.
# Behaviour: what was gathered when the size is reached can be lost. A list of 15 numbers is in no piece at all, and neither are the names and numbers of orders that hold a list: with small
# pieces four fields of two orders are gone, with larger ones none. The second order gets the key 2, which is not its place. Letters beyond ASCII are written with two backslashes, so that
# each piece, read as JSON, has the letters \u00fc in place of the u with dots. There is no error.
# Seen:   {"station", "temps": [1 to 15], "unit"}: one piece, station and unit / order 1 of Ann: no piece has 1 or Ann / Zürich: Z\\u00fcrich
# Expected by most: pieces that together have all values.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @mastra/rag@2.6.4
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { MDocument } from '@mastra/rag';
console.log('@mastra/rag', JSON.parse(readFileSync('node_modules/@mastra/rag/package.json')).version);
const show = async (name, value, maxSize) => {
  console.log(`${name}, maxSize ${maxSize}:`);
  for (const { text } of await MDocument.fromJSON(JSON.stringify(value)).chunk({ strategy: 'json', maxSize })) console.log(`  ${text}`);
};
await show('temperatures', { station: 'Bern', temps: Array.from({ length: 15 }, (_, index) => index + 1), unit: 'C' }, 40);
const orders = [
  { id: 1, customer: 'Ann', items: ['pen', 'cup'], note: 'please ring twice at the door' },
  { id: 2, customer: 'Bob', items: ['bag'], note: 'leave it with the neighbour' },
];
for (const maxSize of [60, 80, 120]) await show('orders', { orders }, maxSize);
await show('place', { place: 'Zürich', unit: '°C' }, 400);
JS
node run.mjs | tee out
diff out - <<'END'
@mastra/rag 2.6.4
temperatures, maxSize 40:
  {"station":"Bern","unit":"C"}
orders, maxSize 60:
  {"orders":{"0":{"items":["pen","cup"]}}}
  {"orders":{"0":{"note":"please ring twice at the door"}}}
  {"orders":{"2":{"items":["bag"]}}}
  {"orders":{"2":{"note":"leave it with the neighbour"}}}
orders, maxSize 80:
  {"orders":{"0":{"items":["pen","cup"]}}}
  {"orders":{"0":{"note":"please ring twice at the door"}}}
  {"orders":{"2":{"items":["bag"]}}}
  {"orders":{"2":{"id":2,"customer":"Bob","note":"leave it with the neighbour"}}}
orders, maxSize 120:
  {"orders":[{"id":1,"customer":"Ann","items":["pen","cup"],"note":"please ring twice at the door"}]}
  {"orders":[{"id":2,"customer":"Bob","items":["bag"],"note":"leave it with the neighbour"}]}
place, maxSize 400:
  {"place":"Z\\u00fcrich","unit":"\\u00b0C"}
END
