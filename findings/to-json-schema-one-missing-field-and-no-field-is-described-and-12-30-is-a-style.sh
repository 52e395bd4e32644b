#!/usr/bin/env bash
# to-json-schema 0.2.5 (npm) makes a JSON Schema of data; genson-js 0.0.8 (npm) is asked the same.
# Behaviour: where one record of a list has a field that another has not, or a null in it, or a text that looks like something else, all fields of all
# records are left out, and the schema takes anything. The README says that unlike parts leave the rest described. Texts get formats by their look: "12:30"
# is a style, "red" a color, a number in quotes a utc-millisec, "C:\x" an address; so times of which one says "noon" empty the schema too.
# Seen:   [{id, name}, {id}]: {"type":"object"} and no properties / "12:30": format style
# Expected by most: id and name, the second not required; a text without a format or with that of a time.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts to-json-schema@0.2.5 genson-js@0.0.8 2> /dev/null
cat > run.cjs <<'JS'
const make = require('to-json-schema');
const { createSchema } = require('genson-js');
const lists = {
  'a name is missing': [{ id: 1, name: 'Ann' }, { id: 2 }],
  'a name is null': [{ id: 1, name: 'Ann' }, { id: 2, name: null }],
  'a time is a word': [{ id: 1, start: '12:30' }, { id: 2, start: 'noon' }],
  'all alike': [{ id: 1, name: 'Ann' }, { id: 2, name: 'Bob' }],
};
for (const [name, list] of Object.entries(lists)) {
  const fields = (schema) => Object.keys(schema.items.properties ?? {}).join(' and ') || 'nothing';
  console.log(`${name}: to-json-schema describes ${fields(make(list))}, genson-js ${fields(createSchema(list))}`);
}
for (const text of ['12:30', 'Ref: 5; see: 6', 'red', '007', '12345', 'C:\\x', 'noon']) console.log(`"${text}": ${make(text).format ?? 'no format'}`);
JS
for one in to-json-schema genson-js; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
node run.cjs | tee out
diff out - <<'END'
a name is missing: to-json-schema describes nothing, genson-js id and name
a name is null: to-json-schema describes nothing, genson-js id and name
a time is a word: to-json-schema describes nothing, genson-js id and start
all alike: to-json-schema describes id and name, genson-js id and name
"12:30": style
"Ref: 5; see: 6": style
"red": color
"007": color
"12345": utc-millisec
"C:\x": uri
"noon": no format
END
