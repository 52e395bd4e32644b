#!/usr/bin/env bash
# npm mcp-memory-libsql 0.0.17 and @itseasy21/mcp-knowledge-graph 1.0.7, MCP servers that keep what a model wants to remember, asked over stdio. Both have create_entities.
# Behaviour: a second create_entities for a name that is there: the first server deletes all facts it had, and answers "Successfully processed 1 entities"; the second keeps the old
# ones, drops the new, and answers an empty list. Neither is an error. search_nodes of both, in the first "with relevance ranking", takes the whole question for one piece of text: two words that are
# both in a fact find nothing unless they are side by side.
# Seen:   Bob "works at ACME", then "has a dog": only "has a dog" / only "works at ACME" / search "ACME works": nothing
# Expected by most: both facts; the facts with both words.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mcp-memory-libsql@0.0.17 @itseasy21/mcp-knowledge-graph@1.0.7
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const start = async (name, args, env) => {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
  const server = spawn(process.execPath, [`node_modules/${name}/dist/index.js`, ...args], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
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
  return { call: async (tool, values) => (await ask('tools/call', { name: tool, arguments: values })).content[0].text, end: () => server.kill() };
};
for (const [name, args, env] of [
  ['mcp-memory-libsql', [], { LIBSQL_URL: `file:${process.cwd()}/memory.db` }],
  ['@itseasy21/mcp-knowledge-graph', ['--memory-path', `${process.cwd()}/memory.jsonl`], {}],
]) {
  const { call, end } = await start(name, args, env);
  const add = (observations) => call('create_entities', { entities: [{ name: 'Bob', entityType: 'person', observations }] });
  await add(['works at ACME', 'lives in Bern']);
  const facts = async (query) => JSON.stringify(JSON.parse(await call('search_nodes', { query })).entities.map((entity) => entity.observations));
  for (const query of ['works at ACME', 'ACME works', 'ACME Bern']) console.log(`  search ${query}: ${await facts(query)}`);
  console.log('  second fact:', await add(['has a dog']));
  console.log('  Bob:', await facts('Bob'));
  end();
}
process.exit(0);
JS
node run.mjs | tee out
diff out - <<'END'
mcp-memory-libsql 0.0.17
  search works at ACME: [["works at ACME","lives in Bern"]]
  search ACME works: []
  search ACME Bern: []
  second fact: Successfully processed 1 entities (created new or updated existing)
  Bob: [["has a dog"]]
@itseasy21/mcp-knowledge-graph 1.0.7
  search works at ACME: [["works at ACME","lives in Bern"]]
  search ACME works: []
  search ACME Bern: []
  second fact: []
  Bob: [["works at ACME","lives in Bern"]]
END
