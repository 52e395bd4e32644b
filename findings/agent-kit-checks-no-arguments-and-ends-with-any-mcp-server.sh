#!/usr/bin/env bash
# npm @inngest/agent-kit 0.13.2 with inngest 4.24.0 and zod 4.6.7, a network of one agent, before a small stand-in for OpenAI's interface.
# Behaviour: a tool's parameters are a zod schema, and it serves only to tell the model. The handler gets what the model sent: no default is set, a number may be a text, a
# required path may be missing, a transform does not happen. The model is told that a parameter with a default is required. An error reaches it with
# the whole stack and the names of files of the machine. A misspelt name of a tool is no answer to the model, it ends the run. And with an MCP server
# each run ends with a TypeError before any request: the tools' schemas are made with zod 3 and read with zod 4.
# Seen:   lines: default 10, told as required, given as undefined / {"id":"x"} runs as "text of undefined" / MCP: Cannot read properties of undefined (reading 'def')
# Expected by most: checked arguments with their defaults, an error to the model for wrong ones, and the tools of the MCP server.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @inngest/agent-kit@0.13.2 inngest@4.24.0 zod@4.6.7 2> /dev/null
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } }];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? info : method === 'tools/list' ? { tools } : {} }));
}
JS
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { createAgent, createNetwork, createTool, openai } from '@inngest/agent-kit';
import { z } from 'zod';
const requests = [];
let turns;
const stand = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  requests.push(JSON.parse(body));
  const calls = turns.shift()?.map(([name, values], n) => ({ id: `c${n}`, type: 'function', function: { name, arguments: JSON.stringify(values) } }));
  response.setHeader('Content-Type', 'application/json');
  const message = { role: 'assistant', content: calls ? null : 'done', tool_calls: calls };
  response.end(JSON.stringify({ id: 'r', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }] }));
});
await new Promise((done) => stand.listen(0, '127.0.0.1', done));
const model = openai({ model: 'gpt-4o', apiKey: 'none', baseUrl: `http://127.0.0.1:${stand.address().port}/v1/` });
const read = createTool({
  name: 'read', description: 'Reads.', parameters: z.object({ path: z.string().trim(), lines: z.number().int().min(1).default(10), id: z.number() }),
  handler: async ({ path, lines, id }) => {
    console.log(`  handler: path ${JSON.stringify(path)}, lines ${lines}, id ${JSON.stringify(id)}`);
    if (path === 'none') throw new Error('no such file');
    return `text of ${path}`;
  },
});
const run = async (name, settings, ...script) => {
  requests.length = 0;
  turns = script;
  console.log(name);
  const agent = createAgent({ name: 'a', system: 'Be good.', model, ...settings });
  const network = createNetwork({ name: 'n', agents: [agent], defaultModel: model, maxIter: 2, router: ({ callCount }) => (callCount < 2 ? agent : undefined) });
  await network.run('Hello').catch((error) => console.log(`  ended by ${error.name}: ${error.message}, after ${requests.length} requests`));
};
await run('own tool', { tools: [read] }, [['read', { path: ' a ', id: 1 }], ['read', { id: 'x', lines: -3 }], ['read', { path: 'none', id: 2 }]]);
console.log('  told as required:', requests[0].tools[0].function.parameters.required.join(' '));
for (const { role, content } of requests[1].messages) {
  if (role === 'tool') console.log('  the model reads:', content.length > 90 ? `${content.slice(0, 58)}..., with lines of the stack: ${content.includes('run.mjs:')}` : content);
}
await run('a misspelt name', { tools: [read] }, [['raed', { path: 'a', id: 1 }]]);
await run('an MCP server', { mcpServers: [{ name: 'files', transport: { type: 'stdio', command: 'node', args: ['server.mjs'] } }] });
process.exit(0);
JS
for name in @inngest/agent-kit zod; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
own tool
  handler: path " a ", lines undefined, id 1
  handler: path undefined, lines -3, id "x"
  handler: path "none", lines undefined, id 2
  told as required: path lines id
  the model reads: {"data":"text of  a "}
  the model reads: {"data":"text of undefined"}
  the model reads: {"error":{"name":"Error","message":"no such file","stack":..., with lines of the stack: true
a misspelt name
  ended by Error: Inference requested a non-existent tool: raed, after 1 requests
an MCP server
  ended by TypeError: Cannot read properties of undefined (reading 'def'), after 0 requests
END
