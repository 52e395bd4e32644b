#!/usr/bin/env bash
# openapi-client-axios 7.9.1 with axios 1.21.1, openapi-fetch 0.17.0 and swagger-client 3.37.3 (npm): three clients made of one OpenAPI document, before a server that prints what it is asked.
# Behaviour: one call is three requests. openapi-client-axios has the whole document and sends each list as ids[]=1&ids[]=2, whatever its style and explode say, and an object as o[a]=1 where the default is a=1; most
# servers then see no ids at all and answer with everything. openapi-fetch sends lists as repeated names also where commas are declared, and of [0, null, 2] makes ids=0&&ids=2.
# swagger-client follows the document, but leaves an empty text out, so that "no filter" and "filter by nothing" are one. A Date is dropped without an error by the latter two.
# Seen:   ids [1, 2]: ids[]=1&ids[]=2 / ids=1&ids=2 / ids=1&ids=2; csv ["x", "y"]: csv[]=x&csv[]=y / csv=x&csv=y / csv=x,y; a Date: sent / dropped / dropped; q "": q= / q= / dropped
# Most would guess: clients made of a document send what its parameters declare.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund openapi-client-axios@7.9.1 axios@1.21.1 openapi-fetch@0.17.0 swagger-client@3.37.3
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import createClient from 'openapi-fetch';
import SwaggerClient from 'swagger-client';
let asked;
const server = createServer((request, response) => {
  asked = decodeURIComponent(request.url.split('?')[1] ?? 'nothing');
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const parameter = (name, schema, more) => ({ name, in: 'query', schema, ...more });
const list = { type: 'array', items: {} };
const definition = {
  openapi: '3.0.3', info: { title: 't', version: '1' }, servers: [{ url }],
  paths: { '/items': { get: { operationId: 'list', responses: { 200: { description: 'ok' } }, parameters: [
    parameter('ids', list), parameter('csv', list, { style: 'form', explode: false }), parameter('pipes', list, { style: 'pipeDelimited', explode: false }), parameter('o', { type: 'object' }),
    parameter('deep', { type: 'object' }, { style: 'deepObject', explode: true }), parameter('from', { type: 'string', format: 'date-time' }), parameter('q', { type: 'string' }),
  ] } } },
};
const axiosClient = await new OpenAPIClientAxios({ definition }).init();
const fetchClient = createClient({ baseUrl: url });
const swagger = await new SwaggerClient({ spec: definition });
for (const query of [{ ids: [1, 2] }, { csv: ['x', 'y'] }, { pipes: ['x', 'y'] }, { o: { a: 1, b: 2 } }, { deep: { a: 1, b: { c: 2 } } }, { from: new Date(0) }, { q: '' }, { ids: [0, null, 2] }, { q: 'plain' }]) {
  const seen = [];
  for (const call of [() => axiosClient.list(query), () => fetchClient.GET('/items', { params: { query } }), () => swagger.apis.default.list(query)]) {
    try { await call(); seen.push(asked); } catch { seen.push('error'); }
  }
  console.log(`${JSON.stringify(query)}: ${seen.join(' | ')}`);
}
process.exit(0);
JS
for name in openapi-client-axios axios openapi-fetch swagger-client; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
{"ids":[1,2]}: ids[]=1&ids[]=2 | ids=1&ids=2 | ids=1&ids=2
{"csv":["x","y"]}: csv[]=x&csv[]=y | csv=x&csv=y | csv=x,y
{"pipes":["x","y"]}: pipes[]=x&pipes[]=y | pipes=x&pipes=y | pipes=x|y
{"o":{"a":1,"b":2}}: o[a]=1&o[b]=2 | o[a]=1&o[b]=2 | a=1&b=2
{"deep":{"a":1,"b":{"c":2}}}: deep[a]=1&deep[b][c]=2 | error | deep[a]=1&deep[b]={"c":2}
{"from":"1970-01-01T00:00:00.000Z"}: from=1970-01-01T00:00:00.000Z | nothing | nothing
{"q":""}: q= | q= | nothing
{"ids":[0,null,2]}: ids[]=0&ids[]=2 | ids=0&&ids=2 | ids=0&ids=&ids=2
{"q":"plain"}: q=plain | q=plain | q=plain
END
