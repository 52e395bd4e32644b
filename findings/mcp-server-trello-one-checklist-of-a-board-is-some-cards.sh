#!/usr/bin/env bash
# npm @delorenj/mcp-server-trello 1.8.1, an MCP server for Trello, asked over stdio. A small stand-in answers in Trello's place (a preloaded file leads requests to it).
# Behaviour: the checklist tools take a name and, if wished, a card. Without a card they look at the whole board, where each card has an "Acceptance Criteria".
# get_acceptance_criteria then gives the items of all cards in one list, with no card's name. get_checklist_by_name gives the list of one card, the first of
# the board's answer, and "percentComplete": 100 of it. add_checklist_item writes into that card's list and answers with success. None says that there are three.
# Seen:   criteria: 5 items of 3 cards in one list / by name: 100 percent, 1 item / added to: k1
# Expected by most: an error that a card is needed, or the items by card.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @delorenj/mcp-server-trello@1.8.1 2> /dev/null
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
const items = (...states) => states.map(([name, state], n) => ({ id: `i${name}`, name, state, pos: n }));
const lists = [
  { id: 'k1', idCard: 'old card', name: 'Acceptance Criteria', checkItems: items(['Logo is blue', 'complete']) },
  { id: 'k2', idCard: 'login', name: 'Acceptance Criteria', checkItems: items(['Wrong password is refused', 'incomplete'], ['Right password works', 'incomplete']) },
  { id: 'k3', idCard: 'search', name: 'acceptance criteria', checkItems: items(['Finds by title', 'incomplete'], ['Finds by text', 'incomplete']) },
];
const asked = [];
const trello = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  asked.push(`${request.method} ${request.url.split('?')[0]}`);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(request.method === 'POST' ? { id: 'new', state: 'incomplete', pos: 9, ...JSON.parse(body) } : lists));
});
await new Promise((done) => trello.listen(0, '127.0.0.1', done));
const NODE_OPTIONS = `--import=${process.cwd()}/lead.mjs`;
const env = { ...process.env, TRELLO_API_KEY: 'a', TRELLO_TOKEN: 'b', STAND_IN: trello.address().port, NODE_OPTIONS, HOME: process.cwd() };
const server = spawn('node', ['node_modules/@delorenj/mcp-server-trello/build/index.js'], { stdio: ['pipe', 'pipe', 'ignore'], env });
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
const call = async (name, values) => (await ask('tools/call', { name, arguments: values })).content.map(({ text }) => text).join(' ');
const short = (text) => text.replace(/\s+/g, ' ');
const criteria = JSON.parse(await call('get_acceptance_criteria', { boardId: 'b1' }));
for (const item of criteria) console.log('get_acceptance_criteria:', ...Object.values(item).slice(1));
console.log('fields of an item:', ...Object.keys(criteria[0]));
const found = JSON.parse(await call('get_checklist_by_name', { name: 'Acceptance Criteria', boardId: 'b1' }));
console.log('get_checklist_by_name:', found.id, `${found.percentComplete} %,`, ...found.items.map(({ text }) => text));
const values = { text: 'Search is fast', checkListName: 'Acceptance Criteria', boardId: 'b1' };
console.log('add_checklist_item:', short(await call('add_checklist_item', values)));
console.log('sent:', asked.at(-1));
server.kill();
process.exit(0);
JS
echo "@delorenj/mcp-server-trello $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@delorenj/mcp-server-trello/package.json')).version")"
timeout 60 node run.mjs | tee out
diff out - <<'END'
get_acceptance_criteria: Logo is blue true k1
get_acceptance_criteria: Wrong password is refused false k2
get_acceptance_criteria: Right password works false k2
get_acceptance_criteria: Finds by title false k3
get_acceptance_criteria: Finds by text false k3
fields of an item: id text complete parentCheckListId
get_checklist_by_name: k1 100 %, Logo is blue
add_checklist_item: { "id": "new", "text": "Search is fast", "complete": false, "parentCheckListId": "k1" }
sent: POST /1/checklists/k1/checkItems
END
