#!/usr/bin/env bash
# @seald-io/nedb 4.1.2 (npm), the kept fork of NeDB, queries as in MongoDB; mingo 7.2.6 (npm), which does what MongoDB does, asked the same.
# Behaviour: "tags is not red" ($ne, $nin) finds each record whose list has any other tag, so those with red and blue as well, and leaves out the ones with an empty list. An empty list does
# not "exist". After ensureIndex on a field the same question has another answer: a record with two values above the bound is given twice.
# A record that an upsert makes from a query with $in holds an empty object where the value should be.
# Seen:   tags $ne red: pen (red, blue), cup and not the bag without tags / tags above a: 3 records, with an index 4 / upsert of {kind: {$in: [...]}}: kind {}
# Expected by most: cup and bag as in MongoDB; an index that changes the speed only.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @seald-io/nedb@4.1.2 mingo@7.2.6
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import Datastore from '@seald-io/nedb';
import { Query } from 'mingo';
for (const name of ['@seald-io/nedb', 'mingo']) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
const records = [
  { name: 'pen', tags: ['red', 'blue'], price: 2 },
  { name: 'hat', tags: ['red'], price: null },
  { name: 'cup', tags: ['green'], price: 12 },
  { name: 'bag', tags: [] },
];
const store = new Datastore();
await store.insertAsync(records);
const names = (list) => list.map((record) => record.name).sort().join(', ') || 'none';
const queries = [{ tags: { $ne: 'red' } }, { tags: { $nin: ['red'] } }, { tags: { $exists: true } }, { price: null }, { tags: { $gt: 'a' } }];
for (const query of queries) {
  console.log(`${JSON.stringify(query)}: ${names(await store.findAsync(query))}; mingo: ${names(new Query(query).find(records).all())}`);
}
await store.ensureIndexAsync({ fieldName: 'tags' });
for (const query of queries.slice(4)) console.log(`${JSON.stringify(query)} with an index: ${names(await store.findAsync(query))}`);
await store.updateAsync({ kind: { $in: ['a', 'b'] }, size: 7 }, { $set: { seen: true } }, { upsert: true });
const { _id, ...made } = await store.findOneAsync({ seen: true });
console.log('made by an upsert:', JSON.stringify(made));
JS
node run.mjs | tee out
diff out - <<'END'
@seald-io/nedb 4.1.2
mingo 7.2.6
{"tags":{"$ne":"red"}}: cup, pen; mingo: bag, cup
{"tags":{"$nin":["red"]}}: cup, pen; mingo: bag, cup
{"tags":{"$exists":true}}: cup, hat, pen; mingo: bag, cup, hat, pen
{"price":null}: hat; mingo: bag, hat
{"tags":{"$gt":"a"}}: cup, hat, pen; mingo: cup, hat, pen
{"tags":{"$gt":"a"}} with an index: cup, hat, pen, pen
made by an upsert: {"kind":{},"size":7,"seen":true}
END
