#!/usr/bin/env bash
# json-to-graphql-query 2.3.0 (npm), jsonToGraphQLQuery with arguments of several kinds.
# Behaviour: a Date among the arguments is written as {}: the filter "since" has no value left. A value that is undefined is written as the word
# undefined, which a server takes for a value of an enum. A Map and a Set are {} too.
# There is no error.
# Seen:   orders (since: {}, until: undefined, ids: {})
# Expected by most: since: "2026-03-01T00:00:00.000Z" as in JSON, and no "until" at all.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund json-to-graphql-query@2.3.0
cat > write.js <<'JS'
const { jsonToGraphQLQuery } = require('json-to-graphql-query');
console.log('json-to-graphql-query', require('json-to-graphql-query/package.json').version);
const since = new Date('2026-03-01T00:00:00Z');
const query = args => jsonToGraphQLQuery({ query: { orders: { __args: args, id: true } } });
console.log(query({ since, until: undefined }));
console.log(query({ where: { paid: { after: since, by: undefined } } }));
console.log(query({ ids: new Set([1, 2]), names: new Map([['a', 1]]) }));
console.log('through JSON first', query(JSON.parse(JSON.stringify({ since, until: undefined }))));
JS
node write.js | tee out
diff out - <<'END'
json-to-graphql-query 2.3.0
query { orders (since: {}, until: undefined) { id } }
query { orders (where: {paid: {after: {}, by: undefined}}) { id } }
query { orders (ids: {}, names: {}) { id } }
through JSON first query { orders (since: "2026-03-01T00:00:00.000Z") { id } }
END
