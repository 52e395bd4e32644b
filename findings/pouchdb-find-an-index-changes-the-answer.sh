#!/usr/bin/env bash
# pouchdb 9.0.0 with pouchdb-find 9.0.0 and pouchdb-adapter-memory 9.0.0 (npm), queries in the language of CouchDB (Mango).
# Behaviour: createIndex changes what find() finds. Without an index "price below 15" finds the documents that have such a price. With an index on price it
# finds those that have no price at all too, whatever they are, and "owner is null" finds all that have no owner. {$in: [null, ...]} never finds a null.
# {$ne: null} fails with "Cannot convert undefined or null to object", as does an object that is compared with a document where that field is null.
# Seen:   {"price":{"$lt":15}} without an index: pen, cup / with one: note, task, pen, cup / {"owner":{"$ne":null}}: a TypeError
# Expected by most: the same documents with and without an index.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts pouchdb@9.0.0 pouchdb-find@9.0.0 pouchdb-adapter-memory@9.0.0 2> /dev/null
cat > run.cjs <<'JS'
const load = (name) => { const found = require(name); return found.default ?? found; };
const PouchDB = load('pouchdb');
PouchDB.plugin(load('pouchdb-find')).plugin(load('pouchdb-adapter-memory'));
(async () => {
  const store = new PouchDB('goods', { adapter: 'memory' });
  await store.bulkDocs([
    { _id: 'pen', price: 2, owner: null, size: { cm: 14 } },
    { _id: 'cup', price: 9, owner: 'ann', size: null },
    { _id: 'bag', price: 40, owner: 'bob', size: { cm: 40 } },
    { _id: 'note', text: 'buy milk' },
    { _id: 'task', text: 'call ann' },
  ]);
  const ask = async (selector) => {
    try {
      return (await store.find({ selector })).docs.map((one) => one._id).sort().join(', ');
    } catch (error) {
      return `${error.name}: ${error.message}`;
    }
  };
  const selectors = [{ price: { $lt: 15 } }, { price: { $lte: 9 } }, { owner: null }, { owner: { $in: [null, 'ann'] } }, { owner: { $ne: null } }, { size: { cm: 14 } }];
  const before = [];
  for (const selector of selectors) before.push(await ask(selector));
  await store.createIndex({ index: { fields: ['price'] } });
  await store.createIndex({ index: { fields: ['owner'] } });
  for (const [place, selector] of selectors.entries()) {
    console.log(`${JSON.stringify(selector)}\n    without an index: ${before[place]}\n    with an index:    ${await ask(selector)}`);
  }
})();
JS
echo "pouchdb $(node -p "JSON.parse(require('fs').readFileSync('node_modules/pouchdb/package.json')).version")"
node run.cjs 2> /dev/null | tee out
diff out - <<'END'
{"price":{"$lt":15}}
    without an index: cup, pen
    with an index:    cup, note, pen, task
{"price":{"$lte":9}}
    without an index: cup, pen
    with an index:    cup, note, pen, task
{"owner":null}
    without an index: pen
    with an index:    note, pen, task
{"owner":{"$in":[null,"ann"]}}
    without an index: cup
    with an index:    cup
{"owner":{"$ne":null}}
    without an index: TypeError: Cannot convert undefined or null to object
    with an index:    TypeError: Cannot convert undefined or null to object
{"size":{"cm":14}}
    without an index: TypeError: Cannot read properties of null (reading 'cm')
    with an index:    TypeError: Cannot read properties of null (reading 'cm')
END
