#!/usr/bin/env bash
# context-mode 1.0.169 (npm) on Node 26.10.0 (npm package node), an MCP server that keeps large outputs out of a model's context and searches them, its server.bundle.mjs asked over stdio:
# ctx_index, then ctx_search.
# Behaviour: a log of 3,000 lines is one section for it. A search shows some 1,500 characters of a section that has the words. Where one word of the query is everywhere, these are the first
# places of that word: "request 2222" shows requests 0 to 25 and not 2222, though the log has it and the answer looks like a hit. It ends within a word, and no mark tells so ("handled reque").
# "2222" alone is found, with a mark at both ends. What the server says of ctx_index is that nothing is truncated.
# Seen:   "request 2222": lines of requests 0 to 25, 2222 is not there / "user u5 request 1460": the same lines / "2222": there / "disk full": there
# Expected by most: the line that has both words, or the rarer one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts context-mode@1.0.169 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const server = spawn('node', ['node_modules/context-mode/server.bundle.mjs'], { stdio: ['pipe', 'pipe', 'ignore'] });
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
const numbers = (amount) => Array.from({ length: amount }, (_, number) => number);
const two = (number) => String(number).padStart(2, '0');
const log = numbers(3000).map((number) => `2026-11-29 10:${two(Math.floor(number / 60))}:${two(number % 60)} INFO ${number === 1777 ? 'disk full, ' : ''}handled request ${number} for user u${number % 97}`).join('\n');
console.log((await call('ctx_index', { content: log, source: 'log' })).split('\n')[0]);
for (const [query, wanted] of [['request 2222', /request 2222 /], ['user u5 request 1460', /request 1460 /], ['2222', /request 2222 /], ['disk full', /disk full/]]) {
  const text = (await call('ctx_search', { queries: [query], source: 'log' })).split(/\n\n(?:>|⚠)/)[0].trimEnd();
  const requests = [...text.matchAll(/handled request (\d+)/g)].map((found) => found[1]);
  console.log(`${query}: ${wanted.test(text) ? 'there' : 'not there'}, requests ${requests[0]} to ${requests.at(-1)}; the end is ${JSON.stringify(text.slice(-13))}`);
}
server.kill();
process.exit(0);
JS
echo "context-mode $(node -p "JSON.parse(require('fs').readFileSync('node_modules/context-mode/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
Indexed 1 sections (0 with code) from: log
request 2222: not there, requests 0 to 25; the end is "handled reque"
user u5 request 1460: not there, requests 0 to 25; the end is "handled reque"
2222: there, requests 2218 to 2227; the end is "equest 2227 …"
disk full: there, requests 1772 to 1781; the end is "0:29:42 INFO…"
END
