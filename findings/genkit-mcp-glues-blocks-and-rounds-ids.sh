#!/usr/bin/env bash
# @genkit-ai/mcp 1.42.0 with genkit 1.42.0 (npm), createMcpClient before a small MCP server over stdio: what a tool gives.
# Behaviour: the kind of value depends on what the texts say. Two text blocks are put together with nothing between them, so that two words become one. A text that is
# JSON is read, and an id above 2^53 in it is rounded. Beside structured data the text is dropped. One block that is a resource or a picture comes as the block
# itself, but a text beside a link as the whole result. No block at all is an empty text. An error is a value too, {"error": ...}, not an exception.
# Seen:   two: "ONETWO" / json: {"id":9007199254740992} / both: {"id":7} / link: {"content":[...]} / failed: {"error":"disk full"} / empty: ""
# Expected by most: a list of blocks, or the texts with a line break between them, digits as they were sent, and an exception for an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts genkit@1.42.0 @genkit-ai/mcp@1.42.0 2> /dev/null
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const text = (words) => ({ type: 'text', text: words });
const results = {
  failed: { content: [text('disk full')], isError: true },
  two: { content: [text('ONE'), text('TWO')] },
  empty: { content: [] },
  both: { content: [text('T')], structuredContent: { id: 7 } },
  link: { content: [text('T'), { type: 'resource_link', name: 'a', uri: 'file:///a.txt' }] },
  resource: { content: [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } }] },
  json: { content: [text('{"id": 9007199254740993}')] },
};
const inputSchema = { type: 'object', properties: {} };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: Object.keys(results).map((name) => ({ name, description: name, inputSchema })) } : method === 'tools/call' ? results[params.name] : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
JS
cat > run.mjs <<'JS'
import { genkit } from 'genkit';
import { createMcpClient } from '@genkit-ai/mcp';
const ai = genkit({});
const client = createMcpClient({ name: 's', mcpServer: { command: 'node', args: ['server.mjs'] } });
await client.ready();
for (const tool of await client.getActiveTools(ai)) console.log(`${tool.__action.name}: ${await tool({}).then((value) => JSON.stringify(value), () => 'exception')}`);
process.exit(0);
JS
for name in genkit @genkit-ai/mcp; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
s/failed: {"error":"disk full"}
s/two: "ONETWO"
s/empty: ""
s/both: {"id":7}
s/link: {"content":[{"type":"text","text":"T"},{"name":"a","uri":"file:///a.txt","type":"resource_link"}]}
s/resource: {"type":"resource","resource":{"uri":"file:///a.txt","text":"inside"}}
s/json: {"id":9007199254740992}
END
