#!/usr/bin/env bash
# @openai/agents 0.20.0 (npm), the Agents SDK in TypeScript, before a small MCP server over stdio, with a model that is a function.
# Behaviour: names are written anew, every sign but letters, digits and _ becomes _. A server with get-user and get_user, both valid, ends each run with an error
# about names "across MCP servers". additionalProperties false of a schema becomes true unless strict schemas are asked for, so a misspelt argument goes to the
# server. What says isError is shown to the model as any other text; structured data alone is "[]"; a text beside a link is JSON with the text escaped in it.
# Seen:   get-user, get_user: Duplicate tool names ... get_user / false: true / failed: "disk full", no mark / data: "[]" / text and link: one JSON text
# Expected by most: the names and the schema of the server, and a mark for what failed.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @openai/agents@0.20.0 2> /dev/null
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const text = (words) => ({ type: 'text', text: words });
const results = {
  'get-user': { content: [text('one')] },
  failed: { content: [text('disk full')], isError: true },
  data: { content: [], structuredContent: { rows: [1] } },
  link: { content: [text('line 1\nline 2'), { type: 'resource_link', name: 'a', uri: 'file:///a.txt' }] },
};
if (process.argv[2]) results[process.argv[2]] = { content: [text('two')] };
const inputSchema = { type: 'object', properties: { limit: { type: 'integer' } }, additionalProperties: false };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: Object.keys(results).map((name) => ({ name, inputSchema })) } : results[params.name];
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
JS
cat > run.mjs <<'JS'
import { Agent, MCPServerStdio, Usage, run, setTracingDisabled } from '@openai/agents';
setTracingDisabled(true);
for (const more of [[], ['get_user']]) {
  const server = new MCPServerStdio({ command: 'node', args: ['server.mjs', ...more] });
  await server.connect();
  for (const name of more.length ? ['failed'] : ['get_user', 'failed', 'data', 'link']) {
    let turn = 0;
    const model = {
      async getResponse({ tools, input }) {
        if (turn++) {
          console.log(`${name}: ${JSON.stringify(input.at(-1).output)}`);
          return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }] };
        }
        if (name === 'get_user') console.log(`${tools.map((tool) => tool.name).join(', ')}; additionalProperties ${tools[0].parameters.additionalProperties}`);
        return { usage: new Usage(), output: [{ type: 'function_call', callId: 'c', name, arguments: '{}', status: 'completed' }] };
      },
    };
    await run(new Agent({ name: 'a', model, mcpServers: [server] }), 'go').catch((error) => console.log(`with ${more}: ${error.message}`));
  }
  await server.close();
}
JS
echo "@openai/agents $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@openai/agents/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
get_user, failed, data, link; additionalProperties true
get_user: [{"type":"input_text","text":"one"}]
failed: [{"type":"input_text","text":"disk full"}]
data: {"type":"text","text":"[]"}
link: {"type":"text","text":"[{\"type\":\"text\",\"text\":\"line 1\\nline 2\"},{\"name\":\"a\",\"uri\":\"file:///a.txt\",\"type\":\"resource_link\"}]"}
with get_user: Duplicate tool names found across MCP servers: get_user
END
