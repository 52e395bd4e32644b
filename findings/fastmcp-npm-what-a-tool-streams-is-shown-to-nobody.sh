#!/usr/bin/env bash
# fastmcp 4.20.16 (npm, the TypeScript framework) with zod 4.6.7, and @modelcontextprotocol/sdk 1.32.2 as the client, over stdio.
# Behaviour: what a tool gives to streamContent (the framework's own way to answer in parts) goes out as a notification of a method that the protocol does not have, and is not part of the result. A tool that only streams, as the
# framework allows, answers with no content at all and no error. A tool that returns an object, a list, a number or false without an outputSchema answers with an error of the framework's own check,
# though it ran; with one, with JSON. undefined and null are no content. A schema lists "additionalProperties": false, and a misspelt argument is taken.
# Seen:   two parts streamed: {"content":[]} and 2 x notifications/tool/streamContent / 5: Cannot use 'in' operator / {"id":1}: expected array / false: Cannot use 'in' operator
# Most would guess: the parts are in the result in the end, and what is no text is JSON.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fastmcp@4.20.16 zod@4.6.7 @modelcontextprotocol/sdk@1.32.2
cat > server.mjs <<'JS'
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
const server = new FastMCP({ name: 's', version: '1.0.0' });
const parts = async (streamContent) => { for (const text of ['part 1', 'part 2']) await streamContent({ type: 'text', text }); };
server.addTool({ name: 'streams', description: 'd', annotations: { streamingHint: true }, execute: async (args, { streamContent }) => { await parts(streamContent); } });
server.addTool({ name: 'streams-and-returns', description: 'd', execute: async (args, { streamContent }) => { await parts(streamContent); return 'the end'; } });
for (const [name, value] of Object.entries({ text: 'x', number: 5, no: false, list: ['a', 'b'], object: { id: 1 }, nothing: null })) server.addTool({ name, description: 'd', execute: async () => value });
server.addTool({ name: 'object-with-schema', description: 'd', outputSchema: z.object({ id: z.number() }), execute: async () => ({ id: 1 }) });
server.addTool({ name: 'echo', description: 'd', parameters: z.object({ a: z.string() }), execute: async (args) => JSON.stringify(args) });
await server.start({ transportType: 'stdio' });
JS
cat > run.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const client = new Client({ name: 'c', version: '1' });
let others = [];
client.fallbackNotificationHandler = async ({ method }) => { others.push(method); };
await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'], stderr: 'ignore' }));
for (const { name, inputSchema } of (await client.listTools()).tools) {
  others = [];
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: name === 'echo' ? { a: 'x', limti: 1 } : {} });
  const shown = JSON.stringify(isError ? content[0].text.replace(/\s+/g, ' ').slice(0, 90) : content);
  console.log(`${name}: ${isError ? 'isError ' : ''}${shown}${structuredContent ? ' ' + JSON.stringify(structuredContent) : ''}${others.length ? ` and ${others.length} x ${others[0]}` : ''}${name === 'echo' ? ` additionalProperties ${inputSchema.additionalProperties}` : ''}`);
}
await client.close();
JS
echo "fastmcp $(node -p "require('./node_modules/fastmcp/package.json').version"), @modelcontextprotocol/sdk $(node -p "require('./node_modules/@modelcontextprotocol/sdk/package.json').version")"
node run.mjs | tee out
diff out - <<'END'
streams: [] and 2 x notifications/tool/streamContent
streams-and-returns: [{"type":"text","text":"the end"}] and 2 x notifications/tool/streamContent
text: [{"type":"text","text":"x"}]
number: isError "Tool 'number' execution failed: Cannot use 'in' operator to search for 'content' in 5"
no: isError "Tool 'no' execution failed: Cannot use 'in' operator to search for 'content' in false"
list: isError "Tool 'list' execution failed: [ { \"expected\": \"object\", \"code\": \"invalid_type\", \"path\": []"
object: isError "Tool 'object' execution failed: [ { \"expected\": \"array\", \"code\": \"invalid_type\", \"path\": ["
nothing: []
object-with-schema: [{"type":"text","text":"{\"id\":1}"}] {"id":1}
echo: [{"type":"text","text":"{\"a\":\"x\"}"}] additionalProperties false
END
