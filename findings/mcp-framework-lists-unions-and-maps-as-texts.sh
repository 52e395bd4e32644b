#!/usr/bin/env bash
# mcp-framework 0.2.22 with the zod 3.25.76 it needs, and @modelcontextprotocol/sdk 1.32.2 as the client (npm); a server as its command "mcp create" lays it out.
# Behaviour: what is not a plain type of zod is listed as a string: a union of a number and a text, a record, a tuple, a date, z.any(). The server then refuses the text that its own list asks for, so that a
# tool with a required record can not be called by a model that obeys. A number that is .positive() has minimum 1 and "exclusiveMinimum": true, a form of draft 4 that readers of 2020-12 refuse: 0.5 is fine
# for the server. Constants and native enums have no values. A text that a tool returns arrives as JSON, in quotes and on one line, with \n for each line; of an array with one text block in it
# what is no block is dropped.
# Seen:   z.record(z.number()): {"type": "string"} / {"map": "{\"a\":1}"}: isError, {"map": {"a": 1}}: taken / positive: {"minimum": 1, "exclusiveMinimum": true} / 'line 1<newline>line 2': "\"line 1\\nline 2\"" / [1, block, {"id": 2}]: the block
# Most would guess: what zod's own JSON Schema says, and a text that is the text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm pkg set type=module; npm install --silent --no-audit --no-fund mcp-framework@0.2.22 zod@3.25.76 @modelcontextprotocol/sdk@1.32.2
mkdir -p dist/tools
cat > dist/tools/Echo.js <<'JS'
import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
export default class Echo extends MCPTool {
  name = 'echo';
  description = 'Echoes.';
  schema = z.object({
    map: z.record(z.number()).describe('Amounts'),
    ratio: z.number().positive().describe('A part'),
    who: z.union([z.number(), z.string()]).describe('An id'),
    mode: z.literal('fast').describe('The mode'),
    kind: z.nativeEnum({ A: 'a', B: 'b' }).describe('The kind'),
    pair: z.tuple([z.number(), z.number()]).optional().describe('A place'),
    day: z.coerce.date().optional().describe('A day'),
  });
  async execute(input) { return input; }
}
JS
cat > dist/tools/Give.js <<'JS'
import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
export default class Give extends MCPTool {
  name = 'give';
  description = 'Gives.';
  schema = z.object({ what: z.enum(['text', 'list', 'block']).describe('What') });
  async execute({ what }) { return { text: 'line 1\nline 2', list: [1, { type: 'text', text: 'a block' }, { id: 2 }], block: { type: 'text', text: 'a block' } }[what]; }
}
JS
cat > dist/index.js <<'JS'
import { MCPServer } from 'mcp-framework';
await new MCPServer({ basePath: import.meta.dirname ?? new URL('.', import.meta.url).pathname }).start();
JS
cat > run.js <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const client = new Client({ name: 'c', version: '1' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['dist/index.js'], stderr: 'ignore' }));
const { tools } = await client.listTools();
for (const [name, { description, ...schema }] of Object.entries(tools.find((tool) => tool.name === 'echo').inputSchema.properties)) console.log(`shown ${name}: ${JSON.stringify(schema)}`);
const fine = { map: { a: 1 }, ratio: 0.5, who: 7, mode: 'fast', kind: 'a' };
for (const [name, given] of [['echo', { ...fine, map: '{"a":1}' }], ['echo', fine], ['give', { what: 'text' }], ['give', { what: 'list' }], ['give', { what: 'block' }]]) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  console.log(`${name} ${JSON.stringify(given)}: ${isError ? 'isError' : JSON.stringify(content)}`);
}
await client.close();
JS
echo "mcp-framework $(node -p "require('./node_modules/mcp-framework/package.json').version"), zod $(node -p "require('./node_modules/zod/package.json').version"), @modelcontextprotocol/sdk $(node -p "require('./node_modules/@modelcontextprotocol/sdk/package.json').version")"
node run.js | tee out
diff out - <<'END'
shown map: {"type":"string"}
shown ratio: {"type":"number","minimum":1,"exclusiveMinimum":true}
shown who: {"type":"string"}
shown mode: {"type":"string"}
shown kind: {"type":"string"}
shown pair: {"type":"string"}
shown day: {"type":"string"}
echo {"map":"{\"a\":1}","ratio":0.5,"who":7,"mode":"fast","kind":"a"}: isError
echo {"map":{"a":1},"ratio":0.5,"who":7,"mode":"fast","kind":"a"}: [{"type":"text","text":"{\"map\":{\"a\":1},\"ratio\":0.5,\"who\":7,\"mode\":\"fast\",\"kind\":\"a\"}"}]
give {"what":"text"}: [{"type":"text","text":"\"line 1\\nline 2\""}]
give {"what":"list"}: [{"type":"text","text":"a block"}]
give {"what":"block"}: [{"type":"text","text":"{\"type\":\"text\",\"text\":\"a block\"}"}]
END
