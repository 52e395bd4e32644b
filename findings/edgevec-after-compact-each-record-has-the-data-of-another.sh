#!/usr/bin/env bash
# edgevec 0.9.0 (npm), a vector store in WebAssembly, in Node.
# Behaviour: compact, which its types say keeps the ids, gives the vectors that are left new ids from 1 on. The metadata stay with the old ids. So after a deletion and
# compact each vector has the metadata of another record, the deleted record's metadata are shown again, and filters choose the wrong vectors.
# Seen:   before: [0,1] is toys / after deleting [1,0] and compact: [0,1] is books, [-1,0] is toys, [0.8,0.6] is "deleted one"
# Expected by most: the same ids, and to each vector what was stored with it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund edgevec@0.9.0 2> /dev/null
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import init, { EdgeVec, EdgeVecConfig } from 'edgevec';
await init({ module_or_path: readFileSync('node_modules/edgevec/edgevec_bg.wasm') });
const places = [[1, 0], [0.8, 0.6], [0, 1], [-1, 0]].map((place) => new Float32Array(place));
const store = new EdgeVec(new EdgeVecConfig(2));
const ids = places.map((place, i) => store.insertWithMetadata(place, { kind: ['deleted one', 'books', 'toys', 'games'][i] }));
const show = (when) => {
  for (const place of places) {
    const [hit] = store.search(place, 1).filter((hit) => hit.score < 0.01);
    const shown = [...place].map((number) => +number.toFixed(1));
    console.log(`${when}: [${shown}]: ${hit ? `id ${hit.id}, ${store.getVectorMetadata(hit.id)?.kind}` : 'not there'}`);
  }
  console.log(`${when}: nearest toys to [0,1]: distance ${store.searchWithFilter(places[2], 'kind = "toys"', 1).map((hit) => hit.distance.toFixed(2))}`);
};
show('before');
store.softDelete(ids[0]);
show('deleted');
store.compact();
show('compact');
JS
echo "edgevec $(node -p "require('./node_modules/edgevec/package.json').version")"
grep -q 'preserving IDs' node_modules/edgevec/edgevec.d.ts && echo 'edgevec.d.ts says: preserving IDs'
node run.mjs | tee out
diff out - <<'END'
before: [1,0]: id 1, deleted one
before: [0.8,0.6]: id 2, books
before: [0,1]: id 3, toys
before: [-1,0]: id 4, games
before: nearest toys to [0,1]: distance 0.00
deleted: [1,0]: not there
deleted: [0.8,0.6]: id 2, books
deleted: [0,1]: id 3, toys
deleted: [-1,0]: id 4, games
deleted: nearest toys to [0,1]: distance 0.00
compact: [1,0]: not there
compact: [0.8,0.6]: id 1, deleted one
compact: [0,1]: id 2, books
compact: [-1,0]: id 3, toys
compact: nearest toys to [0,1]: distance 2.00
END
