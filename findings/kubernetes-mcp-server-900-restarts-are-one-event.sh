#!/usr/bin/env bash
# npm kubernetes-mcp-server 0.0.67, an MCP server for Kubernetes, asked over stdio, before a small stand-in for the cluster's interface with three events and a pod of two containers.
# Behaviour: Kubernetes keeps what happens again and again as one event with a count. events_list leaves out "count" and "series", and the first time: a container that failed to start 900 times
# is one line like any other. Of an event with a series (as new components write them) the time shown is that of the first happening, and the last one is not told: what goes on now looks days old.
# pods_log without a container gives the log of the first container alone, and without a word of the other, where kubectl names the one that it chose.
# Seen:   count 900: not there / series last seen on 4 March: 2026-03-01 / pods_log of a pod with "app" and "proxy": container=app
# Expected by most: the count and the last time, as in kubectl get events; a word about the second container.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts kubernetes-mcp-server@0.0.67 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const event = (number, rest) => ({ apiVersion: 'v1', kind: 'Event', metadata: { name: `e${number}`, namespace: 'default' }, involvedObject: { apiVersion: 'v1', kind: 'Pod', name: `p${number}` }, type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container', ...rest });
const lists = {
  events: [
    event(1, { count: 1, firstTimestamp: '2026-03-03T00:00:00Z', lastTimestamp: '2026-03-03T00:00:00Z' }),
    event(2, { count: 900, firstTimestamp: '2026-03-01T00:00:00Z', lastTimestamp: '2026-03-03T00:00:00Z' }),
    event(3, { eventTime: '2026-03-01T00:00:00.000000Z', firstTimestamp: null, lastTimestamp: null, series: { count: 900, lastObservedTime: '2026-03-04T00:00:00.000000Z' } }),
  ],
};
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p1', namespace: 'default' }, spec: { containers: [{ name: 'app', image: 'a' }, { name: 'proxy', image: 'b' }] }, status: { phase: 'Running' } };
const resources = ['pods', 'events', 'namespaces'].map((name) => ({ name, singularName: name.slice(0, -1), namespaced: name !== 'namespaces', kind: { pods: 'Pod', events: 'Event', namespaces: 'Namespace' }[name], verbs: ['get', 'list'] }));
let logs = '';
const cluster = createServer((request, response) => {
  const path = request.url.split('?')[0];
  const name = path.split('/').at(-1);
  response.setHeader('Content-Type', 'application/json');
  if (name === 'log') { logs = request.url; response.setHeader('Content-Type', 'text/plain'); return response.end('started\n'); }
  const answer = { '/version': { major: '1', minor: '33', gitVersion: 'v1.33.0' }, '/api': { kind: 'APIVersions', versions: ['v1'] }, '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }, '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources }, '/api/v1/namespaces/default/pods/p1': pod }[path]
    ?? (lists[name] && { kind: 'EventList', apiVersion: 'v1', metadata: {}, items: lists[name] });
  if (!answer) response.statusCode = 404;
  response.end(JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }));
});
await new Promise((done) => cluster.listen(0, '127.0.0.1', done));
const config = { apiVersion: 'v1', kind: 'Config', clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${cluster.address().port}` } }], users: [{ name: 'u', user: {} }], contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }], 'current-context': 'x' };
writeFileSync('config', JSON.stringify(config));
const server = spawn('node_modules/.bin/kubernetes-mcp-server', ['--kubeconfig', 'config'], { stdio: ['pipe', 'pipe', 'ignore'] });
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
const text = async (name, values) => (await ask('tools/call', { name, arguments: values })).content[0].text;
for (const item of (await text('events_list', { namespace: 'default' })).split('- InvolvedObject:').slice(1)) console.log(item.trim().replace(/\s+/g, ' '));
console.log('pods_log:', JSON.stringify(await text('pods_log', { namespace: 'default', name: 'p1' })), '/ asked for', logs.match(/container=\w+/)[0]);
server.kill();
process.exit(0);
JS
echo "kubernetes-mcp-server $(node -p "JSON.parse(require('fs').readFileSync('node_modules/kubernetes-mcp-server/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
Kind: Pod Name: p1 apiVersion: v1 Message: Back-off restarting failed container Namespace: default Reason: BackOff Timestamp: 2026-03-03 00:00:00 +0000 UTC Type: Warning
Kind: Pod Name: p2 apiVersion: v1 Message: Back-off restarting failed container Namespace: default Reason: BackOff Timestamp: 2026-03-03 00:00:00 +0000 UTC Type: Warning
Kind: Pod Name: p3 apiVersion: v1 Message: Back-off restarting failed container Namespace: default Reason: BackOff Timestamp: 2026-03-01 00:00:00 +0000 UTC Type: Warning
pods_log: "started\n" / asked for container=app
END
