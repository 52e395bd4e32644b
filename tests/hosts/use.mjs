// Uses the component's file that the kit for JavaScript was built of: `use.mjs STORE`. tests/hosts.sh runs it.
import assert from 'node:assert';
import fs from 'node:fs';
import { Conversation, Weir } from '../../kits/javascript/src/index.js';

const store = process.argv[2];
fs.mkdirSync(store, { mode: 0o700 });
const lines = Array.from({ length: 40_000 }, (_, at) => `${at + 1}: ${at === 4320 ? 'error: disk is full' : 'all is well with it'}\n`);
const text = lines.join('');
assert(text.length > 1_000_000);
const weir = Weir.open(store);
const shown = weir.transform('alice', 'read_log', text);
assert(shown.replaced && shown.parts[0].length < 8_000, shown.reason);
const { id } = shown.handles[0];
const ask = (call) => weir.invoke('alice', 'weir_fetch', { id, ...call }).text;
const page = ask({ mode: 'range', start: 30_000, count: 3 });
for (const at of [29_999, 30_000, 30_001]) assert(page.includes(lines[at]), page);
const found = ask({ mode: 'grep', pattern: 'error:' });
assert(found.includes('4321: error: disk is full') && found.includes('1 match'), found);
const names = ['read', 'delete', 'rename'].flatMap((verb) => ['file', 'invoice', 'calendar'].map((what) => [verb, what]));
const tools = names.map(([verb, what]) => ({ name: `${verb}_${what}`, description: `${verb} a ${what}`, inputSchema: { type: 'object' } }));
const answer = weir.catalog({ s: tools }).invoke('tool_search', { query: 'remove an invoice' }, new Conversation()).text;
assert(answer.includes('delete_invoice'), answer);
assert.throws(() => weir.transform('alice', 'read_log', text, { maxChars: 2 ** 32 }));
weir.close();
