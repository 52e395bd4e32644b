#!/usr/bin/env bash
# js-search 2.0.1 (npm), search in records by a field that names them.
# Behaviour: a record whose id is there already does not replace it: the words of the old text find the old text and the new words the new one, and a word of both finds the old. There is
# no way to take a record out. The ids 1 and "1" are one. If the field of the id is missing, or misspelt in the constructor, all records have one id (undefined) and a word finds the first only.
# Seen:   id 1 added again as "price of bread": "bread" finds the new text, "coal" and "price" the old / new Search('ID') for three records with id: 1 found
# Expected by most: the new text; three records or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund js-search@2.0.1 2> /dev/null
cat > run.cjs <<'JS'
const JsSearch = require('js-search');
const make = (name, records) => {
  const search = new JsSearch.Search(name);
  search.addIndex('text');
  search.addDocuments(records);
  return search;
};
const show = (title, search, word) => console.log(`${title}: ${word}: ${JSON.stringify(search.search(word))}`);
const search = make('id', [{ id: 1, text: 'price of coal' }, { id: 2, text: 'price of milk' }]);
search.addDocument({ id: 1, text: 'price of bread' });
show('added again', search, 'bread');
show('added again', search, 'coal');
show('added again', search, 'price');
show('ids 1 and "1"', make('id', [{ id: 1, text: 'price of coal' }, { id: '1', text: 'price of milk' }]), 'price');
show('misspelt id', make('ID', [{ id: 1, text: 'price of coal' }, { id: 2, text: 'price of milk' }, { id: 3, text: 'price of tea' }]), 'price');
show('two without id', make('id', [{ text: 'price of coal' }, { id: 2, text: 'price of milk' }, { text: 'price of tea' }]), 'price');
JS
node -p "'js-search ' + JSON.parse(require('fs').readFileSync('node_modules/js-search/package.json')).version"
node run.cjs | tee out
diff out - <<'END'
added again: bread: [{"id":1,"text":"price of bread"}]
added again: coal: [{"id":1,"text":"price of coal"}]
added again: price: [{"id":1,"text":"price of coal"},{"id":2,"text":"price of milk"}]
ids 1 and "1": price: [{"id":1,"text":"price of coal"}]
misspelt id: price: [{"id":1,"text":"price of coal"}]
two without id: price: [{"text":"price of coal"},{"id":2,"text":"price of milk"}]
END
