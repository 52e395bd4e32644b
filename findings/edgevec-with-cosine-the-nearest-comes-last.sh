#!/usr/bin/env bash
# edgevec 0.9.0 (npm), a vector store in WebAssembly, in Node.
# Behaviour: with the metric "cosine" or "dot" the number is the likeness (1 for the same direction), but answers are sorted as if it were a distance: the least alike
# comes first. A search for the nearest one gives the vector that points the other way, with a score of -1, and the same vector as the question is never among
# the first. Searches with a filter do the same, and call the number "distance". The default metric (l2) is right.
# Seen:   cosine, nearest one to [1, 0]: the record at [-1, 0] / l2: the record at [1, 0]
# Expected by most: the record at [1, 0] for all three.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund edgevec@0.9.0 2> /dev/null
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import init, { EdgeVec, EdgeVecConfig } from 'edgevec';
await init({ module_or_path: readFileSync('node_modules/edgevec/edgevec_bg.wasm') });
const asked = new Float32Array([1, 0]);
for (const metric of ['cosine', 'dot', 'l2']) {
  const config = new EdgeVecConfig(2);
  config.metric = metric;
  const store = new EdgeVec(config);
  const place = {};
  for (const vector of [[1, 0], [0.8, 0.6], [0, 1], [-1, 0]]) place[store.insertWithMetadata(new Float32Array(vector), { kind: 'a' })] = `[${vector}]`;
  console.log(`${metric}: nearest: ${store.search(asked, 1).map((hit) => place[hit.id])}`);
  console.log(`${metric}: all: ${store.search(asked, 10).map((hit) => `${place[hit.id]} ${hit.score.toFixed(2)}`).join(', ')}`);
  console.log(`${metric}: nearest with a filter: ${store.searchWithFilter(asked, 'kind = "a"', 1).map((hit) => place[hit.id])}`);
}
JS
echo "edgevec $(node -p "require('./node_modules/edgevec/package.json').version")"
node run.mjs | tee out
diff out - <<'END'
cosine: nearest: [-1,0]
cosine: all: [-1,0] -1.00, [0,1] 0.00, [0.8,0.6] 0.80, [1,0] 1.00
cosine: nearest with a filter: [-1,0]
dot: nearest: [-1,0]
dot: all: [-1,0] -1.00, [0,1] 0.00, [0.8,0.6] 0.80, [1,0] 1.00
dot: nearest with a filter: [-1,0]
l2: nearest: [1,0]
l2: all: [1,0] 0.00, [0.8,0.6] 0.40, [0,1] 2.00, [-1,0] 4.00
l2: nearest with a filter: [1,0]
END
