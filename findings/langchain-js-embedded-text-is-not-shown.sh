#!/usr/bin/env bash
# npm @langchain/mcp-adapters 1.1.4 with @langchain/core 1.4.0, before a small MCP server over stdio: what a tool message holds.
# Behaviour: the text of an embedded resource, which is how servers hand over a file, is no part of the content for the model; it is in the message's artifact
# alone, and a result that has nothing else is an empty list. A text beside structured data becomes one string, JSON with the protocol's
# own {"type":"text", ...} around the text. Structured data without text is an empty list. Ids above 2^53 are rounded in all of it.
# Seen:   text and resource: "T" / resource: [] / text and data: {"type":"text","text":"T","structuredContent":{"id":9007199254740992}} / data: []
# Expected by most: the text of the resource, and the text or the data as they are.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const text = '{"type":"text","text":"T"}';
const resource = '{"type":"resource","resource":{"uri":"file:///notes.txt","mimeType":"text/plain","text":"BODY"}}';
const results = {
  text_and_resource: `{"content":[${text},${resource}]}`, resource: `{"content":[${resource}]}`,
  text_and_data: `{"content":[${text}],"structuredContent":{"id":9007199254740993}}`, data: '{"content":[],"structuredContent":{"id":1}}',
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize' ? '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}'
    : method === 'tools/list' ? JSON.stringify({ tools: Object.keys(results).map((name) => ({ name, inputSchema: { type: 'object', properties: {} } })) }) : results[params.name];
  console.log(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
}
JS
cat > run.mjs <<'JS'
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
const client = new MultiServerMCPClient({ mcpServers: { s: { command: 'node', args: ['server.mjs'] } } });
for (const tool of await client.getTools()) {
  const message = await tool.invoke({ type: 'tool_call', id: '1', name: tool.name, args: {} });
  console.log(tool.name + ': ' + JSON.stringify(message.content) + ' artifact: ' + JSON.stringify(message.artifact));
}
await client.close();
JS
for name in @langchain/mcp-adapters @langchain/core; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
text_and_resource: "T" artifact: [{"type":"resource","resource":{"uri":"file:///notes.txt","mimeType":"text/plain","text":"BODY"}}]
resource: [] artifact: [{"type":"resource","resource":{"uri":"file:///notes.txt","mimeType":"text/plain","text":"BODY"}}]
text_and_data: "{\"type\":\"text\",\"text\":\"T\",\"structuredContent\":{\"id\":9007199254740992}}" artifact: [{"type":"mcp_structured_content","data":{"id":9007199254740992}}]
data: [] artifact: [{"type":"mcp_structured_content","data":{"id":1}}]
END
