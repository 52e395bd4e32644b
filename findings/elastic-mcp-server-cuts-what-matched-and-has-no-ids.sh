#!/usr/bin/env bash
# npm @elastic/mcp-server-elasticsearch 0.3.1, asked over stdio, before a small stand-in for Elasticsearch that answers as its interface is described.
# Behaviour: each search asks for highlights, and a field that has one is shown as those pieces of about 100 characters alone. So of the field that matched
# the rest is missing, while fields that did not match are whole. Hits have no _id. Where Elasticsearch says "10,000 or more" the answer says "Total results: 10000".
# list_indices has no count of documents (the server reads docsCount, the answer has "docs.count"). The mapping of an alias is {}. profile: true adds nothing.
# A refused query is an answer without isError.
# Seen:   body (highlighted): ...<em>refund</em>..., some 100 of 4,000 characters / {"index":"orders-1","health":"green","status":"open"} / the alias orders: {}
# Expected by most: the whole field with marks, an id for each hit, "at least 10000", the counts, the mapping of the index behind the alias.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @elastic/mcp-server-elasticsearch@0.3.1 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const body = `${'The customer wrote twice about the parcel. '.repeat(40)}We agreed on a refund of 40 EUR, to be paid by 1 May. ${'The rest is well. '.repeat(130)}`.slice(0, 4000);
const at = body.indexOf('refund');
const piece = body.slice(at - 46, at + 52).replace('refund', '<em>refund</em>');
const mappings = { properties: { body: { type: 'text' }, note: { type: 'text' }, paid: { type: 'boolean' } } };
const hit = { _index: 'orders-1', _id: 'A-17', _score: 1, _source: { body, note: 'N'.repeat(3000), paid: false }, highlight: { body: [piece] } };
const search = { took: 1, timed_out: false, hits: { total: { value: 10000, relation: 'gte' }, hits: [hit] }, profile: { shards: [{ id: 'shard' }] } };
const elastic = createServer((request, response) => {
  const path = request.url.split('?')[0];
  const bad = path.startsWith('/missing');
  const answer = bad ? { error: { type: 'index_not_found_exception', reason: 'no such index [missing]' }, status: 404 }
    : path.startsWith('/_cat/indices') ? [{ health: 'green', status: 'open', index: 'orders-1', pri: '1', rep: '0', 'docs.count': '48211', 'docs.deleted': '0' }]
      : path.endsWith('/_mapping') ? { 'orders-1': { mappings } } : search;
  response.writeHead(bad ? 404 : 200, { 'Content-Type': 'application/json', 'X-Elastic-Product': 'Elasticsearch' });
  response.end(JSON.stringify(answer));
});
await new Promise((done) => elastic.listen(0, '127.0.0.1', done));
const env = { ...process.env, ES_URL: `http://127.0.0.1:${elastic.address().port}`, ES_API_KEY: 'none' };
const server = spawn('node_modules/.bin/mcp-server-elasticsearch', [], { stdio: ['pipe', 'pipe', 'ignore'], env });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }) + '\n');
  for (;;) {
    const answer = JSON.parse((await lines.next()).value);
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values) => (await ask('tools/call', { name, arguments: values }));
const short = (text) => text.replace(/\s+/g, ' ').replace(/N{50,}/, (run) => `(${run.length} times N)`);
const { content } = await call('search', { index: 'orders-1', queryBody: { query: { match: { body: 'refund' } } }, profile: true });
for (const { text } of content) console.log('search:', short(text));
const all = JSON.stringify(content);
console.log(`body has ${body.length} characters; shown: the day of payment ${all.includes('1 May')}, the id ${all.includes('A-17')}, the profile ${all.includes('shard')}`);
console.log('list_indices:', short((await call('list_indices', { indexPattern: '*' })).content[1].text));
console.log('get_mappings of the index:', short((await call('get_mappings', { index: 'orders-1' })).content[1].text));
console.log('get_mappings of its alias:', short((await call('get_mappings', { index: 'orders' })).content[1].text));
const refused = await call('search', { index: 'missing', queryBody: { query: { match_all: {} } } });
console.log(`a missing index: isError ${refused.isError}, ${short(refused.content[0].text).slice(0, 60)}`);
server.kill();
process.exit(0);
JS
echo "@elastic/mcp-server-elasticsearch $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@elastic/mcp-server-elasticsearch/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
search: Total results: 10000, showing 1 from position 0
search: body (highlighted): wrote twice about the parcel. We agreed on a <em>refund</em> of 40 EUR, to be paid by 1 May. The rest is w note: "(3000 times N)" paid: false
body has 4000 characters; shown: the day of payment true, the id false, the profile false
list_indices: [ { "index": "orders-1", "health": "green", "status": "open" } ]
get_mappings of the index: Mappings for index orders-1: { "properties": { "body": { "type": "text" }, "note": { "type": "text" }, "paid": { "type": "boolean" } } }
get_mappings of its alias: Mappings for index orders: {}
a missing index: isError undefined, Error: index_not_found_exception
END
