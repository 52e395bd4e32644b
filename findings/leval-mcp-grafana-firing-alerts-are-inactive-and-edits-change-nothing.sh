#!/usr/bin/env bash
# npm @leval/mcp-grafana 1.1.7, an MCP server for Grafana, asked over stdio, before a small stand-in for Grafana's HTTP interface (and Loki's behind it).
# Behaviour: list_alert_rules gives each rule a "current state", and it is "inactive" for all: the server asks for the rules' definitions, which have no state.
# A patch of update_dashboard that removes $.panels[1], or adds a title or a description that is not there yet, changes nothing; the dashboard is saved as
# it was, with a new version and "success". Each save leaves the folder out, so Grafana puts the dashboard into its general folder. Panels of
# closed rows are in no count and in no list of queries. Of a metric query to Loki the labels are missing: which app has 7 is not told.
# Seen:   DiskFull: inactive / remove $.panels[1]: success, panels saved: CPU, Row, Memory / [{"timestamp":1767225600,"line":"7"},{"timestamp":1767225600,"line":"900"}]
# Expected by most: firing, or no state; a dashboard without that panel, or an error, in its folder; 7 for shop, 900 for pay.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @leval/mcp-grafana@1.1.7 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const panel = (id, title, expr) => ({ id, title, type: 'timeseries', targets: [{ refId: 'A', expr }] });
const row = { id: 2, title: 'Row', type: 'row', collapsed: true, panels: [panel(3, 'Errors', 'rate(errors[5m])'), panel(4, 'Latency', 'latency')] };
const dashboard = { uid: 'd1', title: 'Shop', version: 3, tags: [], panels: [panel(1, 'CPU', 'cpu'), row, panel(5, 'Memory', 'memory')] };
const rules = [{ uid: 'r1', title: 'DiskFull', folderUID: 'f1', labels: {}, isPaused: false, for: '5m' }];
const states = { status: 'success', data: { groups: [{ name: 'g', rules: [{ name: 'DiskFull', uid: 'r1', state: 'firing', health: 'ok' }] }] } };
const matrix = { resultType: 'matrix', result: [{ metric: { app: 'shop' }, values: [[1767225600, '7']] }, { metric: { app: 'pay' }, values: [[1767225600, '900']] }] };
let saved;
const grafana = createServer(async (request, response) => {
  const path = request.url.split('?')[0];
  let body = '';
  for await (const part of request) body += part;
  if (body) saved = JSON.parse(body);
  const answer = path.startsWith('/api/dashboards/uid') ? { dashboard: structuredClone(dashboard), meta: { folderUid: 'f1' } }
    : path.startsWith('/api/v1/provisioning/alert-rules') ? rules
      : path.startsWith('/api/prometheus/grafana') ? states
        : path.includes('/loki/') ? { status: 'success', data: matrix } : { status: 'success', version: 4, uid: 'd1' };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(answer));
});
await new Promise((done) => grafana.listen(0, '127.0.0.1', done));
const env = { ...process.env, GRAFANA_URL: `http://127.0.0.1:${grafana.address().port}`, GRAFANA_SERVICE_ACCOUNT_TOKEN: 'none' };
const server = spawn('node_modules/.bin/mcp-grafana', [], { stdio: ['pipe', 'pipe', 'ignore'], env });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }) + '\n');
  for (;;) {
    const line = (await lines.next()).value;
    if (line.startsWith('{') && JSON.parse(line).id === count) return JSON.parse(line).result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values) => JSON.parse((await ask('tools/call', { name, arguments: values })).content[0].text);
for (const { title, state } of await call('list_alert_rules', {})) console.log(`${title}: ${state}, Grafana's own list of states: firing`);
const { panelCount, panelTypes } = await call('get_dashboard_summary', { uid: 'd1' });
console.log(`panels: ${panelCount} (${panelTypes}), queries: ${(await call('get_dashboard_panel_queries', { uid: 'd1' })).map(({ title }) => title).join(', ')}`);
const patches = [{ op: 'remove', path: '$.panels[1]' }, { op: 'add', path: '$.description', value: 'New' }, { op: 'add', path: '$.panels/-', value: panel(6, 'Disk', 'disk') }];
for (const patch of patches) {
  const { status } = await call('update_dashboard', { uid: 'd1', operations: [patch], folderUid: 'f1' });
  const { dashboard: { panels, description }, folderUid } = saved;
  console.log(`${patch.op} ${patch.path}: ${status}, panels saved: ${panels.map(({ title }) => title).join(', ')}; description: ${description}, folder: ${folderUid}`);
}
console.log('Loki:', JSON.stringify(await call('query_loki_logs', { datasourceUid: 'l1', logql: 'sum by (app) (count_over_time({env="p"}[5m]))' })));
server.kill();
process.exit(0);
JS
echo "@leval/mcp-grafana $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@leval/mcp-grafana/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
DiskFull: inactive, Grafana's own list of states: firing
panels: 3 (timeseries,row), queries: CPU, Row, Memory
remove $.panels[1]: success, panels saved: CPU, Row, Memory; description: undefined, folder: undefined
add $.description: success, panels saved: CPU, Row, Memory; description: undefined, folder: undefined
add $.panels/-: success, panels saved: CPU, Row, Memory, Disk; description: undefined, folder: undefined
Loki: [{"timestamp":1767225600,"line":"7"},{"timestamp":1767225600,"line":"900"}]
END
