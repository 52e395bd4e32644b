#!/usr/bin/env bash
# mcporter 0.12.3 (npm), the command line for MCP servers, `mcporter call` as it is, before a small MCP server over stdio.
# Behaviour: a text that is JSON is read and printed anew: ids above 2^53 are rounded and 1.10 is 1.1, though the server sent them as text. Two texts of which
# each is JSON become one list. A text beside structured data is not printed, nor a link beside a text. An argument for a parameter that the
# server declares as a text stays "00123" where it is digits, but true, null and what looks like JSON become a boolean, null and an object.
# Seen:   {"id": 9007199254740993, "p": 1.10}: 9007199254740992, 1.1 / [1,2] and [3]: [[1,2],[3]] / id=true: boolean, id={"a":1}: object
# Expected by most: the text as the server sent it, all blocks, and a text for a parameter that is one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts mcporter@0.12.3 2> /dev/null
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const text = (words) => ({ type: 'text', text: words });
const results = {
  json: { content: [text('{"id": 9007199254740993, "p": 1.10}')] },
  lists: { content: [text('[1,2]'), text('[3]')] },
  both: { content: [text('3 rows, 2 were left out')], structuredContent: { rows: 1 } },
  link: { content: [text('T'), { type: 'resource_link', name: 'a', uri: 'file:///a.txt' }] },
};
const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: ['kind', ...Object.keys(results)].map((name) => ({ name, inputSchema })) }
      : method === 'tools/call' ? results[params.name] ?? { content: [text(`${typeof params.arguments.id} ${params.arguments.id}`)] } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
JS
echo '{"mcpServers":{"s":{"command":"node","args":["server.mjs"]}}}' > servers.json
echo "mcporter $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcporter/package.json')).version")"
call() { echo "$*: $(node_modules/.bin/mcporter --config servers.json call "s.$@" 2> log | tr -d '\n' | tr -s ' ')"; }
{ for name in json lists both link; do call $name; done
  call kind id=00123; call kind id=true; call kind id=null; call kind 'id={"a":1}'; } | tee out
diff out - <<'END'
json: { "id": 9007199254740992, "p": 1.1}
lists: [ [ 1, 2 ], [ 3 ]]
both: { "rows": 1}
link: T
kind id=00123: string 00123
kind id=true: boolean true
kind id=null: object null
kind id={"a":1}: object [object Object]
END
