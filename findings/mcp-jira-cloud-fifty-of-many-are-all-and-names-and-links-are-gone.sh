#!/usr/bin/env bash
# npm mcp-jira-cloud 4.4.0, an MCP server for Jira Cloud, asked over stdio, before a small stand-in for Jira's HTTP interface (version 3), which answers as its description says.
# Behaviour: jira_search_issues says total 50 of a search that has more: Jira's new search gives no total but a nextPageToken, and the server puts the page's length there.
# The token is taken as a parameter and never shown, so page 2 can not be asked for; startAt is sent on, and Jira's new search has none. In descriptions and
# comments all but plain texts is dropped: people (@Ann), dates, cards with addresses, emoji and the addresses of links. A word in bold stands on a line of its own.
# Seen:   50 of 120: {"total":50} and no token / "Ask @Ann by 1 December, see <card>. Do not deploy." becomes "Ask", "by", ", see", ". Do", "not", "deploy."
# Expected by most: total 120 or unknown, and the token of the next page; "Ask @Ann by 2026-12-01, see https://example.com/1. Do not deploy."
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts mcp-jira-cloud@4.4.0 2> /dev/null
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
const text = (words, ...marks) => ({ type: 'text', text: words, marks });
const day = String(Date.UTC(2026, 11, 1));
const content = [
  text('Ask '), { type: 'mention', attrs: { id: '1', text: '@Ann' } }, text(' by '), { type: 'date', attrs: { timestamp: day } }, text(', see '),
  { type: 'inlineCard', attrs: { url: 'https://example.com/1' } }, text('. Do '), text('not', { type: 'strong' }), text(' deploy '),
  text('the old build', { type: 'link', attrs: { href: 'https://example.com/2' } }), text('.'),
];
const doc = { type: 'doc', version: 1, content: [{ type: 'paragraph', content }] };
const issue = (n) => ({ id: String(n), key: `P-${n}`, fields: { summary: `Issue ${n}`, status: { name: 'Open' }, description: doc } });
let asked;
const jira = createServer((request, response) => {
  asked = new URL(request.url, 'http://127.0.0.1');
  const from = Number(asked.searchParams.get('nextPageToken')?.slice(1) ?? 0), size = Math.min(Number(asked.searchParams.get('maxResults') ?? 50), 100);
  const page = { issues: Array.from({ length: Math.min(size, 120 - from) }, (_, n) => issue(from + n + 1)), isLast: from + size >= 120, nextPageToken: `t${from + size}` };
  const comments = { startAt: 0, maxResults: 50, total: 1, comments: [{ id: '1', author: { displayName: 'Bob' }, body: doc, created: '2026-01-01T00:00:00.000+0000' }] };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(asked.pathname.endsWith('/search/jql') ? page : asked.pathname.endsWith('/comment') ? comments : issue(1)));
});
await new Promise((done) => jira.listen(0, '127.0.0.1', done));
const env = { ...process.env, JIRA_BASE_URL: `http://127.0.0.1:${jira.address().port}`, JIRA_EMAIL: 'me@example.com', JIRA_API_TOKEN: 'none' };
const server = spawn('node_modules/.bin/jira-mcp', [], { stdio: ['pipe', 'pipe', 'ignore'], env });
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
const call = async (name, values) => { const t = (await ask('tools/call', { name, arguments: values })).content[0].text; try { return JSON.parse(t); } catch { return t; } };
for (const values of [{}, { startAt: 50 }, { maxResults: 100 }]) {
  const { issues, ...rest } = await call('jira_search_issues', { jql: 'project = P ORDER BY key', ...values });
  console.log(`120 issues, ${JSON.stringify(values)}: ${issues.length} from ${issues[0].key}, and besides: ${JSON.stringify(rest)}`);
}
const summary = await call('jira_search_issues_summary', { jql: 'project = P', maxResults: 20 });
console.log(`jira_search_issues_summary: ${JSON.stringify(summary).slice(0, 80)}..., a token in it: ${JSON.stringify(summary).includes('t20')}`);
console.log('description:', JSON.stringify((await call('jira_get_issue', { issueIdOrKey: 'P-1' })).description));
console.log('comment:', JSON.stringify(await call('jira_get_issue_comments', { issueIdOrKey: 'P-1' })));
server.kill();
process.exit(0);
JS
echo "mcp-jira-cloud $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcp-jira-cloud/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
120 issues, {}: 50 from P-1, and besides: {"total":50}
120 issues, {"startAt":50}: 50 from P-1, and besides: {"total":50}
120 issues, {"maxResults":100}: 100 from P-1, and besides: {"total":100}
jira_search_issues_summary: [{"key":"P-1","summary":"Issue 1","status":"Open"},{"key":"P-2","summary":"Issue..., a token in it: false
description: "Ask \n by \n, see \n. Do \nnot\n deploy \nthe old build\n."
comment: [{"author":"Bob","created":"2026-01-01T00:00:00.000+0000","body":"Ask \n by \n, see \n. Do \nnot\n deploy \nthe old build\n."}]
END
