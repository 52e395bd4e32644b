#!/usr/bin/env bash
# @strands-agents/sdk 1.19.0 with @modelcontextprotocol/sdk 1.32.2 (npm) on Node 26.10.0 (npm package node): an Agent with an McpClient and the plugin ContextOffloader as they are, a pretend
# model and a small MCP server over stdio.
# Behaviour: a large result is replaced by its first 4,000 characters, cut wherever that is, with no mark that something is missing: the last line that the model sees is "line 4", of "line 456".
# Its tool for the rest searches by lines. In JSON of one line a search says "1 match" and shows the first 10,000 characters, without what was found; no range of lines leads to it.
# Without a pattern it returns all 167,780 characters, which are not taken out again. A result that has its data in structuredContent alone is "Tool execution completed successfully with no
# output.", and so is an error without text. A text beside structured data is shown without them.
# Seen:   preview ends: "line 455\nline 4" / search "row 4000": 1 match, row 4000 is not in the 10,068 characters / {"rows": [1, 2]}: successfully with no output / error: the same
# Expected by most: whole lines and a mark at the cut, the part around a hit, the data as JSON, and an error that does not speak of success.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts @strands-agents/sdk@1.19.0 @modelcontextprotocol/sdk@1.32.2 2> /dev/null
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const text = (words) => ({ type: 'text', text: words });
const numbers = (count) => Array.from({ length: count }, (_, number) => number);
const results = {
  json: { content: [text('[' + numbers(5000).map((id) => `{"id": ${id}, "name": "row ${id}"}`).join(', ') + ']')] },
  lines: { content: [text(numbers(20000).map((number) => `line ${number}`).join('\n'))] },
  data: { content: [], structuredContent: { rows: [1, 2] } },
  both: { content: [text('2 rows')], structuredContent: { rows: [1, 2] } },
  failed: { content: [], isError: true },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: Object.keys(results).map((name) => ({ name, inputSchema: { type: 'object', properties: {} } })) } : results[params?.name] ?? {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
JS
cat > run.mjs <<'JS'
import { Agent, McpClient, Model } from '@strands-agents/sdk';
import { ContextOffloader } from '@strands-agents/sdk/vended-plugins/context-offloader';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const steps = [['json'], ['retrieve_offloaded_content', { reference: 'c0_0', pattern: '"row 4000"' }], ['retrieve_offloaded_content', { reference: 'c0_0', line_range: { start: 2, end: 3 } }],
  ['retrieve_offloaded_content', { reference: 'c0_0' }], ['lines'], ['data'], ['both'], ['failed']];
const seen = [];
class Pretend extends Model {
  updateConfig() {}
  getConfig() { return { modelId: 'pretend' }; }
  async *stream(messages) {
    const [block] = messages.at(-1).content;
    if (block.type === 'toolResultBlock') seen.push([block.status, block.content.map((part) => part.text ?? JSON.stringify(part)).join('')]);
    const [name, input] = steps[seen.length] ?? [];
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    yield { type: 'modelContentBlockStartEvent', ...(name && { start: { type: 'toolUseStart', name, toolUseId: `c${seen.length}` } }) };
    yield { type: 'modelContentBlockDeltaEvent', delta: name ? { type: 'toolUseInputDelta', input: JSON.stringify(input ?? {}) } : { type: 'textDelta', text: 'done' } };
    yield { type: 'modelContentBlockStopEvent' };
    yield { type: 'modelMessageStopEvent', stopReason: name ? 'toolUse' : 'endTurn' };
  }
}
const client = new McpClient({ transport: new StdioClientTransport({ command: 'node', args: ['server.mjs'] }) });
const agent = new Agent({ model: new Pretend(), tools: [client], plugins: [new ContextOffloader({})], printer: false });
await agent.invoke('go');
seen.forEach(([status, text], number) => {
  const [name, { pattern, line_range: range } = {}] = steps[number];
  const preview = text.match(/([^]*)\n\n\[Stored references/)?.[1];
  const start = text.split('\n')[0];
  console.log(`${name}${pattern ? ` ${pattern}` : range ? ' lines 2-3' : ''}: ${status}, ${text.length} characters, "row 4000" is ${text.includes('"row 4000"}') ? 'there' : 'not there'}; ` +
    (preview ? `the preview ends ${JSON.stringify(preview.slice(-16))}` : start.slice(0, 64)));
});
process.exit(0);
JS
echo "@strands-agents/sdk $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@strands-agents/sdk/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
json: success, 4474 characters, "row 4000" is not there; the preview ends " \"name\": \"row 13"
retrieve_offloaded_content "row 4000": success, 10068 characters, "row 4000" is not there; [1 match for /"row 4000"/]
retrieve_offloaded_content lines 2-3: success, 63 characters, "row 4000" is not there; Error: line_range.start (2) is beyond content length (1 lines).
retrieve_offloaded_content: success, 167780 characters, "row 4000" is there; [{"id": 0, "name": "row 0"}, {"id": 1, "name": "row 1"}, {"id": 
lines: success, 4474 characters, "row 4000" is not there; the preview ends "\nline 455\nline 4"
data: success, 53 characters, "row 4000" is not there; Tool execution completed successfully with no output.
both: success, 6 characters, "row 4000" is not there; 2 rows
failed: error, 53 characters, "row 4000" is not there; Tool execution completed successfully with no output.
END
