#!/usr/bin/env bash
# openapi-merge 2.0.2 (npm), merge of two descriptions, default settings. Each is secured as a whole with its own header key.
# Behaviour: both keys are called "key"; the second is renamed to "key1", but the operations of the second API do not refer to it: its rule
# for the whole API is dropped, so that its paths now ask for the header of the first API (X-Orders-Key instead of X-Stock-Key).
# (That the server of the first counts is told in the README.) A link to the operation "list" of the second API still says "list", which is now the operation of the first.
# Seen:   /stock has no security of its own, security is [{"key":[]}] = X-Orders-Key; link to "list"
# Expected by most: /stock asks for key1 (X-Stock-Key), its link leads to list1; or the merge is refused.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund openapi-merge@2.0.2
cat > merge.js <<'JS'
const fs = require('fs');
const { merge } = require('openapi-merge');
console.log('openapi-merge', JSON.parse(fs.readFileSync('node_modules/openapi-merge/package.json')).version);
const api = (name, path) => ({
  openapi: '3.0.3', info: { title: name, version: '1' }, servers: [{ url: 'https://' + name.toLowerCase() + '.example' }],
  security: [{ key: [] }],
  paths: { [path]: { get: { operationId: 'list', responses: { 200: { description: 'ok', links: { next: { operationId: 'list' } } } } } } },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-' + name + '-Key' } } },
});
const { output } = merge([{ oas: api('Orders', '/orders') }, { oas: api('Stock', '/stock') }]);
console.log('security', JSON.stringify(output.security), 'servers', JSON.stringify(output.servers));
for (const [path, { get, servers }] of Object.entries(output.paths)) {
  const asked = (get.security || output.security).map(rule => output.components.securitySchemes[Object.keys(rule)[0]].name);
  console.log(path, 'operation', get.operationId, '| asks for', asked.join(), '| servers', JSON.stringify(get.servers || servers || 'those above'), '| link to', get.responses[200].links.next.operationId);
}
console.log('keys', Object.entries(output.components.securitySchemes).map(([k, v]) => k + '=' + v.name).join(' '));
JS
node merge.js | tee out
diff out - <<'END'
openapi-merge 2.0.2
security [{"key":[]}] servers [{"url":"https://orders.example"}]
/orders operation list | asks for X-Orders-Key | servers "those above" | link to list
/stock operation list1 | asks for X-Orders-Key | servers "those above" | link to list
keys key=X-Orders-Key key1=X-Stock-Key
END
