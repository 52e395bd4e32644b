// Weir in Node, by its string interface: store a large result, read a line of it. See ../README.md.
import { readFileSync } from 'node:fs';
import { _setPreopens } from '@bytecodealliance/preview2-shim/filesystem';

const [store, tools] = process.argv.slice(2);
_setPreopens({ '/store': store });
const { json } = await import('./weir/weir.js');
const call = (name, ...given) => JSON.parse(json[name](...given));

// After a tool call: show the model `shown.result`, whether it was replaced or not.
const log = Array.from({ length: 5000 }, (_, n) => `line ${n + 1}: all is well`).join('\n');
const result = JSON.stringify({ content: [{ type: 'text', text: log }] });
const shown = call('transform', '{"session": "node", "tool": "read_log"}', result);
if (!shown.replaced) throw new Error(`not stored: ${shown.reason} ${shown.storeFailure ?? ''}`);
console.log(shown.result.content[0].text.split('\n')[0]);

// When the model calls a tool of `call('resultTools').tools`:
const search = { id: shown.handles[0].id, mode: 'grep', pattern: 'line 4321:' };
const page = call('invoke', 'node', 'weir_fetch', JSON.stringify(search));
console.log(page.content[0].text);

// At start and once an hour.
for (let more = ''; more !== undefined;) ({ more } = call('sweep', 4096, more));

// Tools of MCP servers, in a file with the result of `tools/list`.
if (tools) {
  const { catalog } = call('openCatalog', readFileSync(tools, 'utf8'));
  const query = JSON.stringify({ query: 'create an issue' });
  const found = call('invokeBridge', catalog, 'tool_search', query, '');
  console.log(found.result.content[0].text.split('\n')[0]);
  call('dropCatalog', catalog);
}
