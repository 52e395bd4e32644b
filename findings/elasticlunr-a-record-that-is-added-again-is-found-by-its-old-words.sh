#!/usr/bin/env bash
# elasticlunr 0.9.5 (npm), full text search.
# Behaviour: addDoc of an id that is there puts the new record in its place but leaves the old words in the index: they find a record that does not have them. (updateDoc takes them out.)
# removeDoc goes by the fields of what it is given: with the id alone it removes the record and no word, so a search still finds the id. removeDocByRef does nothing for the id 0.
# Seen:   record 1 is now "fresh bread": "price" finds it / after removeDoc({id: 2}): "disk" finds 2, its record is null / after removeDocByRef(0): "zero" finds 0
# Expected by most: what is found has the word, and what was removed is not found.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund elasticlunr@0.9.5 2> /dev/null
cat > run.cjs <<'JS'
const elasticlunr = require('elasticlunr');
const index = elasticlunr(function () { this.addField('text'); this.setRef('id'); });
index.addDoc({ id: 1, text: 'price of coal' });
index.addDoc({ id: 2, text: 'disk error' });
index.addDoc({ id: 3, text: 'network down' });
index.addDoc({ id: 0, text: 'zero point' });
const ask = (step, word) => console.log(`${step}: ${word}: ${JSON.stringify(index.search(word, {}).map(({ ref }) => [ref, index.documentStore.getDoc(ref)?.text ?? null]))}`);
ask('at first', 'price');
index.addDoc({ id: 1, text: 'fresh bread' });
ask('added again', 'price');
ask('added again', 'bread');
index.updateDoc({ id: 1, text: 'old cheese' });
ask('updated', 'bread');
ask('updated', 'price');
index.removeDoc({ id: 2 });
ask('removed with the id alone', 'disk');
index.removeDoc({ id: 3, text: 'network down' });
ask('removed as a whole', 'network');
index.removeDocByRef(0);
ask('removed by its reference 0', 'zero');
JS
node -p "'elasticlunr ' + JSON.parse(require('fs').readFileSync('node_modules/elasticlunr/package.json')).version"
node run.cjs | tee out
diff out - <<'END'
at first: price: [["1","price of coal"]]
added again: price: [["1","fresh bread"]]
added again: bread: [["1","fresh bread"]]
updated: bread: []
updated: price: [["1","old cheese"]]
removed with the id alone: disk: [["2",null]]
removed as a whole: network: []
removed by its reference 0: zero: [["0","zero point"]]
END
