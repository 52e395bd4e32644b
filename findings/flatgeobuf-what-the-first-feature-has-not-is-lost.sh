#!/usr/bin/env bash
# flatgeobuf 4.5.0 (npm), serialize and deserialize of its GeoJSON module, default settings.
# Behaviour: the columns are those of the first feature. A property that the first feature does not have is dropped from all others, without an error. When the first feature has it and a later
# one has not, the later one gets a value that it never had: "" for a text, false for a truth value. If the first feature has no properties, all properties of all features are gone.
# Seen:   [{"id":1},{"id":2,"name":"B"}]: name is gone / [{"id":3,"closed":true},{"id":1}]: {"id":1,"closed":false} / [{},{"id":2}]: [{},{}]
# Expected by most: each feature with its own properties, as in the GeoJSON.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund flatgeobuf@4.5.0
cat > run.mjs <<'JS'
import { deserialize, serialize } from 'flatgeobuf/lib/mjs/geojson.js';
const trip = async (list) => {
  const features = list.map((properties, index) => ({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [index, index] } }));
  const back = [];
  for await (const feature of deserialize(serialize({ type: 'FeatureCollection', features }))) back.push(feature.properties);
  console.log(`${JSON.stringify(list)} -> ${JSON.stringify(back)}`);
};
await trip([{ id: 1 }, { id: 2, name: 'B' }, { id: 3, name: 'C', closed: true }]);
await trip([{ id: 3, name: 'C', closed: true }, { id: 2, name: 'B' }, { id: 1 }]);
await trip([{}, { id: 2 }]);
await trip([{ id: 1, name: null }, { id: 2, name: 'B' }]);
await trip([{ id: 3, closed: true }, { id: 1 }]);
JS
echo "flatgeobuf $(node -p "JSON.parse(require('fs').readFileSync('node_modules/flatgeobuf/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
[{"id":1},{"id":2,"name":"B"},{"id":3,"name":"C","closed":true}] -> [{"id":1},{"id":2},{"id":3}]
[{"id":3,"name":"C","closed":true},{"id":2,"name":"B"},{"id":1}] -> [{"id":3,"name":"C","closed":true},{"id":2,"name":"B","closed":false},{"id":1,"name":"","closed":false}]
[{},{"id":2}] -> [{},{}]
[{"id":1,"name":null},{"id":2,"name":"B"}] -> [{"id":1},{"id":2,"name":"B"}]
[{"id":3,"closed":true},{"id":1}] -> [{"id":3,"closed":true},{"id":1,"closed":false}]
END
