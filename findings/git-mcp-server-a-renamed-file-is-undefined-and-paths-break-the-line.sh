#!/usr/bin/env bash
# npm @cyanheads/git-mcp-server 2.15.3, an MCP server for git, asked over stdio (git of the machine).
# Behaviour: for a renamed file git_status, and the status that git_add answers with, names "undefined" and, as the new name, the old one; the new name is nowhere in the answer, while git_diff
# has it. In the message of git_commit a backslash before n or t is a break or a tab, as its description says; a path such as C:\new\temp is broken by it, and the
# commit has another subject. Names with accents are in quotes with octal numbers, which git_add does not find.
# Seen:   two.txt renamed to three.txt: "undefined -> two.txt" / message "Move C:\new\temp": "Move C:", then "ew", a tab and "emp" / café.txt: "\"caf\\303\\251.txt\""
# Expected by most: "two.txt -> three.txt"; the message as it was sent; café.txt.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @cyanheads/git-mcp-server@2.15.3 2> /dev/null
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_SIGN_COMMITS=false
mkdir repo
(
  cd repo
  git init -q -b main
  git config user.name Ann
  git config user.email ann@example.org
  seq 1 30 > two.txt
  echo 1 > café.txt
  git add .
  git commit -qm first
  git mv two.txt three.txt
  echo 2 >> café.txt
)
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
console.log('@cyanheads/git-mcp-server', JSON.parse(readFileSync('node_modules/@cyanheads/git-mcp-server/package.json')).version);
const server = spawn('node_modules/.bin/git-mcp-server', [], { stdio: ['pipe', 'pipe', 'ignore'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params })}\n`);
  for (;;) {
    const { value } = await lines.next();
    const answer = value.startsWith('{') ? JSON.parse(value) : {};
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values = {}) => {
  const { content, isError } = await ask('tools/call', { name, arguments: { path: `${process.cwd()}/repo`, ...values } });
  return isError ? content[0].text : JSON.parse(content[0].text);
};
const status = await call('git_status');
console.log('git_status, staged:', JSON.stringify(status.stagedChanges), 'unstaged:', JSON.stringify(status.unstagedChanges));
console.log('git_diff, staged:', JSON.stringify((await call('git_diff', { staged: true })).diff.split('\n').slice(2, 4)));
console.log('git_add of the name in git_status:', JSON.stringify(await call('git_add', { paths: status.unstagedChanges.modified })));
const message = 'Move C:\\new\\temp';
console.log(`git_commit of ${message}:`, JSON.stringify((await call('git_commit', { message })).message.split('\n')));
const [{ subject }] = (await call('git_log', { maxCount: 1 })).commits;
console.log('git_log, subject:', JSON.stringify(subject));
server.kill();
process.exit(0);
JS
node run.mjs | tee out
diff out - <<'END'
@cyanheads/git-mcp-server 2.15.3
git_status, staged: {"renamed":["undefined -> two.txt"]} unstaged: {"modified":["\"caf\\303\\251.txt\""]}
git_diff, staged: ["rename from two.txt","rename to three.txt"]
git_add of the name in git_status: "Error: File not found: \"caf\\303\\251.txt\""
git_commit of Move C:\new\temp: ["Move C:","ew\temp"]
git_log, subject: "Move C: ew\temp"
END
