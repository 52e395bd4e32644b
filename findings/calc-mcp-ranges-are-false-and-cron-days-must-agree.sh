#!/usr/bin/env bash
# npm @coo-quack/calc-mcp 2.1.1, an MCP server that computes for models ("deterministic and accurate"), asked over stdio; semver 7.7.3 (npm) is the judge of ranges.
# Behaviour: a range that names no patch number matches nothing that it should: 1.2.9 is not in 1.2, 1.9.0 not in ~1, 0.2.5 not in ^0.2, 1.3.0 not in 1.2 - 1.3. There is no error.
# A cron line with a day of the month and a day of the week runs only where both agree. Real cron runs where one of them does. So "0 0 13 * 5" is Friday the 13th alone.
# A time that is not in ISO form, such as 2026/11/03 14:30, is read in the zone of the machine. The given fromTimezone is dropped without a word. 1.5 months are 1 month, 100 Mb are 100 MB.
# Seen:   1.2.9 in 1.2: false / five days of "0 0 13 * 5": all are Friday the 13th / 14:30 in Tokyo: 05:30, or 19:30 where it is written with slashes
# Expected by most: true as in npm; a run each Friday and each 13th; the same moment for both notations, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @coo-quack/calc-mcp@2.1.1 semver@7.7.3 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import semver from 'semver';
const server = spawn('node_modules/.bin/calc-mcp', [], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, TZ: 'America/New_York' } });
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
const call = async (name, values) => (await ask('tools/call', { name, arguments: values })).content[0].text;
for (const [version, range] of [['1.2.9', '1.2'], ['1.9.0', '~1'], ['0.2.5', '^0.2'], ['1.3.0', '<=1.3'], ['1.3.0', '1.2 - 1.3'], ['1.2.9', '^1.2.0'], ['1.2.9', '1.x']]) {
  const { satisfies } = JSON.parse(await call('semver', { action: 'satisfies', version, range }));
  console.log(`${version} in ${range}: ${satisfies}, npm's semver: ${semver.satisfies(version, range)}`);
}
const { nextOccurrences } = JSON.parse(await call('cron_parse', { expression: '0 0 13 * 5', count: 5 }));
console.log('0 0 13 * 5:', ...new Set(nextOccurrences.map((time) => `${new Date(time).getUTCDay() === 5 ? 'Friday' : 'another day'}, ${new Date(time).getUTCDate()}`)));
for (const datetime of ['2026-11-03 14:30', '2026/11/03 14:30', 'Nov 3, 2026 14:30']) {
  console.log(`${datetime} in Tokyo: ${await call('datetime', { action: 'convert', datetime, fromTimezone: 'Asia/Tokyo', toTimezone: 'UTC' })}`);
}
console.log(`2026-01-01 and 1.5 months: ${await call('date', { action: 'add', date: '2026-01-01', amount: 1.5, unit: 'months' })}`);
for (const [from, to] of [['Mb', 'MB'], ['GB', 'MB']]) console.log(`100 ${from}: ${JSON.parse(await call('convert', { value: 100, from, to })).result} ${to}`);
process.exit(0);
JS
for name in @coo-quack/calc-mcp semver; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
1.2.9 in 1.2: false, npm's semver: true
1.9.0 in ~1: false, npm's semver: true
0.2.5 in ^0.2: false, npm's semver: true
1.3.0 in <=1.3: false, npm's semver: true
1.3.0 in 1.2 - 1.3: false, npm's semver: true
1.2.9 in ^1.2.0: true, npm's semver: true
1.2.9 in 1.x: true, npm's semver: true
0 0 13 * 5: Friday, 13
2026-11-03 14:30 in Tokyo: 2026-11-03T05:30:00.000+00:00
2026/11/03 14:30 in Tokyo: 2026-11-03T19:30:00.000+00:00
Nov 3, 2026 14:30 in Tokyo: 2026-11-03T19:30:00.000+00:00
2026-01-01 and 1.5 months: 2026-02-01T00:00:00
100 Mb: 100 MB
100 GB: 102400 MB
END
