#!/usr/bin/env bash
# npm mcp-alertmanager 2.1.1, an MCP server for Prometheus Alertmanager, asked over stdio, before a small stand-in for Alertmanager's HTTP interface (version 2).
# Behaviour: createSilence takes '30m', '2h', '1d'. Of anything longer it takes the first number and the last letter: "1h30m" is one minute, "2h15m" two minutes,
# "1d12h" one hour, "1.5h" one hour. There is no error, and the answer holds only an id, so nobody is told when the silence ends.
# getSilences with state "active" lists the expired ones too: it sends a parameter that Alertmanager does not have, and filters nothing itself.
# Seen:   1h30m: silenced for 1 min, "Silence created successfully" / getSilences active: s1 active, s2 expired
# Expected by most: 90 minutes, or an error; active ones only.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts mcp-alertmanager@2.1.1 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const time = (minutes) => new Date(Date.now() + minutes * 60000).toISOString();
const matchers = [{ name: 'alertname', value: 'DiskFull', isRegex: false, isEqual: true }];
const silence = (id, state, start, end) => (
  { id, matchers, status: { state }, createdBy: 'ann', comment: 'work', startsAt: time(start), endsAt: time(end), updatedAt: time(start) });
const silences = [silence('s1', 'active', -60, 60), silence('s2', 'expired', -600, -500)];
let asked;
const manager = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  asked = { url: request.url, body: body && JSON.parse(body) };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(request.method === 'POST' ? { silenceID: 'new' } : silences));
});
await new Promise((done) => manager.listen(0, '127.0.0.1', done));
const env = { ...process.env, ALERTMANAGER_URL: `http://127.0.0.1:${manager.address().port}` };
const server = spawn('node_modules/.bin/mcp-alertmanager', [], { stdio: ['pipe', 'pipe', 'ignore'], env });
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
for (const duration of ['90m', '1d', '1h30m', '2h15m', '1d12h', '1h30s', '1.5h', '2w']) {
  asked = undefined;
  const { content, isError } = await call('createSilence', { alertName: 'DiskFull', duration, comment: 'work' });
  const minutes = asked && (Date.parse(asked.body.endsAt) - Date.parse(asked.body.startsAt)) / 60000;
  console.log(`${duration}: ${asked ? `silenced for ${minutes} min` : 'not silenced'}, ${isError ? 'error' : 'answer'}: ${content[0].text.replace(/\s+/g, ' ')}`);
}
const listed = JSON.parse((await call('getSilences', { state: 'active' })).content[0].text);
console.log(`getSilences active: ${listed.map(({ id, status }) => `${id} ${status.state}`).join(', ')}, asked for: ${asked.url}`);
server.kill();
process.exit(0);
JS
echo "mcp-alertmanager $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcp-alertmanager/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
90m: silenced for 90 min, answer: Silence created successfully: { "silenceID": "new" }
1d: silenced for 1440 min, answer: Silence created successfully: { "silenceID": "new" }
1h30m: silenced for 1 min, answer: Silence created successfully: { "silenceID": "new" }
2h15m: silenced for 2 min, answer: Silence created successfully: { "silenceID": "new" }
1d12h: silenced for 60 min, answer: Silence created successfully: { "silenceID": "new" }
1h30s: not silenced, error: Invalid duration: unknown duration unit: s
1.5h: silenced for 60 min, answer: Silence created successfully: { "silenceID": "new" }
2w: not silenced, error: Invalid duration: unknown duration unit: w
getSilences active: s1 active, s2 expired, asked for: /api/v2/silences?state=active
END
