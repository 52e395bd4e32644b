#!/usr/bin/env bash
# itemsjs 2.4.4 (npm), faceted search.
# Behaviour: aggregation takes a query that, as its README says, is for the values of a facet. With one, no value is left out and each has a count of 0, also
# the one that is the query itself. Without a query the counts are right. In filters_query a value in quotes is never found; the same without quotes is, blank or not.
# Seen:   query "drama": comedy 0, drama 0, dramedy 0, western 0 / city:"New York": none / city:New York: 1
# Expected by most: drama 2 (and dramedy 1 perhaps), and the record of New York.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund itemsjs@2.4.4 2> /dev/null
cat > run.cjs <<'JS'
const itemsjs = require('itemsjs');
console.log('itemsjs', require('./node_modules/itemsjs/package.json').version);
const engine = itemsjs([
  { id: 1, name: 'One', tags: ['drama', 'western'], city: 'New York' },
  { id: 2, name: 'Two', tags: ['drama'], city: 'York' },
  { id: 3, name: 'Three', tags: ['comedy', 'dramedy'], city: 'Rome' },
], { searchableFields: ['name'], aggregations: { tags: { sort: 'key', order: 'asc' }, city: {} } });
const counts = (options) => engine.aggregation({ name: 'tags', per_page: 10, ...options }).data.buckets.map((bucket) => `${bucket.key} ${bucket.doc_count}`).join(', ');
const found = (options) => engine.search(options).data.items.map((item) => item.id).join(', ') || 'none';
console.log('facet, no query:', counts({}));
console.log('facet, query drama:', counts({ query: 'drama' }));
console.log('facet, query dra:', counts({ query: 'dra' }));
console.log('filters_query city:"New York":', found({ filters_query: 'city:"New York"' }));
console.log('filters_query city:New York:', found({ filters_query: 'city:New York' }));
console.log('filters city New York:', found({ filters: { city: ['New York'] } }));
JS
node run.cjs | tee out
diff out - <<'END'
itemsjs 2.4.4
facet, no query: comedy 1, drama 2, dramedy 1, western 1
facet, query drama: comedy 0, drama 0, dramedy 0, western 0
facet, query dra: comedy 0, drama 0, dramedy 0, western 0
filters_query city:"New York": none
filters_query city:New York: 1
filters city New York: 1
END
