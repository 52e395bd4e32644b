#!/usr/bin/env bash
# npm datadog-mcp 5.8.2, an MCP server for Datadog, asked over stdio. A small stand-in answers in Datadog's place (a preloaded file leads requests to it).
# Behaviour: a point of a metric without a value (null in Datadog's answer: no data came) is shown as value 0, so an outage of the sender is a fall to zero.
# More points than pointLimit: the oldest are kept and the newest are gone, without a word. The action aggregate of the tool logs takes service, status and
# keyword, and counts all logs of all services. Times that it does not know are read by their first number, as seconds since 1970: "1w", "1 hour ago" and "30min"
# reach back 56 years. "now-1h" is the last 24 hours.
# Seen:   values 5 0 7 99, with pointLimit 2: 5 0 / errors of shop with "timeout": query "*" / from "1 hour ago": 1970-01-01T00:00:01.000Z
# Expected by most: null, or no such point; the newest points; a query of service, status and keyword; an hour, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts datadog-mcp@5.8.2 2> /dev/null
cat > lead.mjs <<'JS'
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
https.request = ({ method, path, headers }, then) => http.request({ method, path, headers, host: '127.0.0.1', port: process.env.STAND_IN }, then);
syncBuiltinESMExports();
JS
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const series = { metric: 'm', scope: '*', pointlist: [[1767225600000, 5], [1767225660000, null], [1767225720000, 7], [1767225780000, 99]] };
let asked;
const datadog = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  asked = body && JSON.parse(body);
  response.setHeader('Content-Type', 'application/json');
  const data = request.url.endsWith('/aggregate') ? { buckets: [{ by: {}, computes: { c0: 12345 } }] } : [];
  response.end(JSON.stringify(request.url.startsWith('/api/v1/query') ? { status: 'ok', series: [series] } : { data }));
});
await new Promise((done) => datadog.listen(0, '127.0.0.1', done));
const env = { ...process.env, DD_API_KEY: 'a', DD_APP_KEY: 'b', STAND_IN: datadog.address().port, NODE_OPTIONS: `--import=${process.cwd()}/lead.mjs` };
const server = spawn('node_modules/.bin/datadog-mcp', [], { stdio: ['pipe', 'pipe', 'ignore'], env });
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
const call = async (name, values) => JSON.parse((await ask('tools/call', { name, arguments: values })).content[0].text);
for (const pointLimit of [undefined, 2]) {
  const { series: [{ points }], meta } = await call('metrics', { action: 'query', query: 'avg:m{*}', from: '1h', pointLimit });
  const said = Object.keys(meta).filter((key) => /limit|cut|trunc|total|count/i.test(key));
  console.log(`pointLimit ${pointLimit}: ${points.map(({ value }) => value).join(' ')}, said of it: ${said}`);
}
for (const from of ['1h', '7d', '1w', '1 hour ago', '30min', 'now-1h']) {
  const { meta } = await call('metrics', { action: 'query', query: 'avg:m{*}', from });
  console.log(`from ${from}: ${meta.from < '1971' ? meta.from : `${(Date.parse(meta.to) - Date.parse(meta.from)) / 3600000} hours`}`);
}
const { buckets } = await call('logs', { action: 'aggregate', service: 'shop', status: 'error', keyword: 'timeout', from: '1h' });
console.log(`errors of shop with "timeout": ${buckets[0].computes.c0}, counted by Datadog: ${asked.filter.query}`);
await call('logs', { action: 'search', service: 'shop', status: 'error', keyword: 'timeout', from: '1h' });
console.log(`the same as a search: ${asked.filter.query}`);
server.kill();
process.exit(0);
JS
echo "datadog-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/datadog-mcp/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
pointLimit undefined: 5 0 7 99, said of it: seriesCount
pointLimit 2: 5 0, said of it: seriesCount
from 1h: 1 hours
from 7d: 168 hours
from 1w: 1970-01-01T00:00:01.000Z
from 1 hour ago: 1970-01-01T00:00:01.000Z
from 30min: 1970-01-01T00:00:30.000Z
from now-1h: 24 hours
errors of shop with "timeout": 12345, counted by Datadog: *
the same as a search: "timeout" service:shop status:error
END
