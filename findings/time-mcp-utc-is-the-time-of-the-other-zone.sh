#!/usr/bin/env bash
# npm time-mcp 1.0.6, an MCP server for times, asked over stdio on a machine in UTC.
# Behaviour: convert_time drops the Z of a time and calls the digits the time of sourceTimezone: 14:30Z is 14:30 in Tokyo. An offset is first changed into the machine's zone (12:30) and then dropped.
# get_timestamp takes the digits of a Unix time for a year, a month and a day: 1762180200 is in the year 1763, and so is the same in milliseconds. Days that do not exist are the next month in get_timestamp
# and a month of 31 days in days_in_month. A time without a day gives "Invalid Date" and NaN as an answer, not as an error.
# Seen:   2026-11-03T14:30:00Z from Tokyo to UTC: 05:30 / 14:30+02:00: 12:30 in Tokyo / get_timestamp of 1762180200: -6519139200000 / days in 2026-02-31: 31
# Expected by most: 14:30, 21:30 in Tokyo, 1762180200000, an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund time-mcp@1.0.6
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
console.log('time-mcp', JSON.parse(readFileSync('node_modules/time-mcp/package.json')).version);
const server = spawn('node_modules/.bin/time-mcp', [], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, TZ: 'UTC' } });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params })}\n`);
  for (;;) {
    const { value } = await lines.next();
    if (!value.startsWith('{')) continue; // a greeting
    const answer = JSON.parse(value);
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values) => {
  const result = await ask('tools/call', { name, arguments: values });
  console.log(`${name} ${Object.values(values).join(', ')}: ${result.isError ? 'error, ' : ''}${result.content.map((part) => part.text).join(' ')}`);
};
for (const time of ['2026-11-03 14:30:00', '2026-11-03T14:30:00Z', '2026-11-03T14:30:00+02:00', '14:30']) await call('convert_time', { sourceTimezone: 'Asia/Tokyo', targetTimezone: 'UTC', time });
for (const time of ['2026-11-03T14:30:00Z', '1762180200', '1762180200000', '2026-02-30']) await call('get_timestamp', { time });
for (const date of ['2026-02', '2026-02-31']) await call('days_in_month', { date });
server.kill();
process.exit(0);
JS
node run.mjs | tee out
diff out - <<'END'
time-mcp 1.0.6
convert_time Asia/Tokyo, UTC, 2026-11-03 14:30:00: Current time in Asia/Tokyo is 2026-11-03 14:30:00, and the time in UTC is 2026-11-03 05:30:00. The time difference is -9 hours.
convert_time Asia/Tokyo, UTC, 2026-11-03T14:30:00Z: Current time in Asia/Tokyo is 2026-11-03 14:30:00, and the time in UTC is 2026-11-03 05:30:00. The time difference is -9 hours.
convert_time Asia/Tokyo, UTC, 2026-11-03T14:30:00+02:00: Current time in Asia/Tokyo is 2026-11-03 12:30:00, and the time in UTC is 2026-11-03 03:30:00. The time difference is -9 hours.
convert_time Asia/Tokyo, UTC, 14:30: Current time in Asia/Tokyo is Invalid Date, and the time in UTC is Invalid Date. The time difference is NaN hours.
get_timestamp 2026-11-03T14:30:00Z: The timestamp of 2026-11-03T14:30:00Z (parsed as UTC) is 1793716200000 ms.
get_timestamp 1762180200: The timestamp of 1762180200 (parsed as UTC) is -6519139200000 ms.
get_timestamp 1762180200000: The timestamp of 1762180200000 (parsed as UTC) is -6519139200000 ms.
get_timestamp 2026-02-30: The timestamp of 2026-02-30 (parsed as UTC) is 1772409600000 ms.
days_in_month 2026-02: The number of days in month is 28.
days_in_month 2026-02-31: The number of days in month is 31.
END
