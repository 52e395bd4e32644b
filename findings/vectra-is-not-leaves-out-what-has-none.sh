#!/usr/bin/env bash
# vectra 0.15.0 (npm), a vector store in a local file for agents, with filters of metadata in MongoDB's notation.
# Behaviour: "is not" ($ne, $nin) never holds for an item without the member, which in MongoDB it does: what has no state is not among what is not
# done. null finds nothing, also where null was stored, and a list of tags is found neither by one of them nor with $in. An operator that vectra
# does not know ($exists, $regex, $not, $contains, or a misspelt one) is no error but means "equals": $contains finds only the whole text.
# Seen:   { state: { $ne: "done" } }: the item without state is not found / $exists: nothing / { team: { $contains: "we" } }: nothing, "web":
# found
# Expected by most: what is not done is found, and an unknown operator is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund vectra@0.15.0
cat > run.mjs <<'JS'
import { LocalIndex } from 'vectra';
const index = new LocalIndex('index');
await index.createIndex({ version: 1 });
const items = [
  { name: 'one', team: 'web', state: 'done' }, { name: 'two', team: 'core', state: 'open' },
  { name: 'three', team: 'core' }, { name: 'four', tags: ['a', 'b'], state: null },
];
for (const metadata of items) await index.insertItem({ vector: [1, 0], metadata });
const filters = [
  { state: { $eq: 'done' } }, { state: { $ne: 'done' } }, { state: { $nin: ['done'] } }, { state: null },
  { state: { $exists: true } }, { team: { $regex: '^web' } },
  { team: { $not: { $eq: 'core' } } },
  { team: { $contains: 'web' } }, { team: { $contains: 'we' } }, { team: { $equals: 'web' } }, { tags: 'a' }, { tags: { $in: ['a'] } },
];
for (const filter of filters) {
  const list = await index.queryItems([1, 0], '', 10, filter);
  const found = list.map(({ item }) => item.metadata.name).sort().join(' ');
  console.log(JSON.stringify(filter) + ': ' + (found || 'nothing'));
}
JS
echo "vectra $(node -p "JSON.parse(require('fs').readFileSync('node_modules/vectra/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"state":{"$eq":"done"}}: one
{"state":{"$ne":"done"}}: two
{"state":{"$nin":["done"]}}: two
{"state":null}: nothing
{"state":{"$exists":true}}: nothing
{"team":{"$regex":"^web"}}: nothing
{"team":{"$not":{"$eq":"core"}}}: nothing
{"team":{"$contains":"web"}}: one
{"team":{"$contains":"we"}}: nothing
{"team":{"$equals":"web"}}: one
{"tags":"a"}: nothing
{"tags":{"$in":["a"]}}: nothing
END
