#!/usr/bin/env bash
# client-vector-search 0.2.0 (npm), a vector index in memory.
# Behaviour: update puts the new record in the place of the old one and adds it at the end as well. After each update the record stands once more, a search gives it as often,
# and the top results are the same record again and again. remove takes away one of them, so a record that was updated is still found after it was removed.
# Seen:   after two updates of 1: 1, 1, 1 in the top three / after remove: still found
# Expected by most: one record, and none after it was removed.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts client-vector-search@0.2.0 2> /dev/null
cat > run.mjs <<'JS'
import { EmbeddingIndex } from 'client-vector-search';
const fresh = () => new EmbeddingIndex([
  { id: 1, name: 'old', embedding: [0.6, 0.8] }, { id: 2, name: 'second', embedding: [0.8, 0.6] }, { id: 3, name: 'third', embedding: [0, 1] }]);
let index = fresh();
const show = async (what) => {
  const hits = await index.search([1, 0], { topK: 3 });
  console.log(`${what}: ${hits.map((hit) => `${hit.object.id} ${hit.object.name} ${hit.similarity.toFixed(2)}`).join(', ')}`);
};
await show('three records');
for (const name of ['new', 'newer']) {
  index.update({ id: 1 }, { id: 1, name, embedding: [1, 0] });
  await show(`1 updated to "${name}"`);
}
index.remove({ id: 1 });
await show('1 removed');
index = fresh();
index.remove({ id: 1 });
index.add({ id: 1, name: 'new', embedding: [1, 0] });
await show('removed and added instead');
JS
echo "client-vector-search $(node -p "require('./node_modules/client-vector-search/package.json').version")"
node run.mjs | tee out
diff out - <<'END'
three records: 2 second 0.80, 1 old 0.60, 3 third 0.00
1 updated to "new": 1 new 1.00, 1 new 1.00, 2 second 0.80
1 updated to "newer": 1 newer 1.00, 1 new 1.00, 1 newer 1.00
1 removed: 1 new 1.00, 1 newer 1.00, 2 second 0.80
removed and added instead: 1 new 1.00, 2 second 0.80, 3 third 0.00
END
