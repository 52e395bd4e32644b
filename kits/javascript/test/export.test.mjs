import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { Refused, Weir } from '../src/index.js';
import { Weir as Worker } from '../src/worker.js';

const { servers, exports: golden } = JSON.parse(fs.readFileSync(new URL('../../conformance/export.json', import.meta.url), 'utf8'));
const catalog = Weir.open(null).catalog(servers);
const plain = (exported) => ({ tools: exported.tools, names: exported.names, arguments: exported.arguments });
const idOf = (exported, id) => Object.keys(exported.names).find((name) => exported.names[name] === id);

test('each form is as in the file that all kits share', async () => {
  assert.equal(Object.keys(golden).length, 8);
  for (const form of Object.keys(golden)) assert.deepEqual(plain(catalog.export(form)), golden[form], form);
  const worker = await Worker.open(null);
  const other = await worker.catalog(servers);
  for (const form of ['anthropic-regex', 'openai']) {
    const exported = await other.export(form);
    assert.deepEqual(plain(exported), golden[form]);
    assert.deepEqual(exported.call('tool_search', {}), ['tool_search', {}]);
  }
  await assert.rejects(other.export('bedrock'), Refused);
  await worker.close();
});

test('a call to an exported tool is checked and resolved', () => {
  const exported = catalog.export('anthropic-bm25');
  const name = idOf(exported, 'list.files/all');
  const [filter] = Object.entries(exported.arguments[name]).find(([, own]) => own === '$filter');
  for (const args of [{ [filter]: 'a', none: 1 }, JSON.stringify({ [filter]: 'a', none: 1 })]) {
    const [call] = catalog.invoke(...exported.call(name, args)).calls;
    assert.deepEqual([call.server, call.name, call.arguments], ['files', 'list.files/all', { $filter: 'a', none: 1 }]);
  }
  assert.equal(catalog.invoke(...exported.call('send', { to: 'a', other: 1 })).isError, true);
  assert.equal(catalog.invoke(...exported.call(name, 'no JSON')).isError, true);
  for (const unknown of ['nowhere', 'constructor', '__proto__']) assert.deepEqual(exported.call(unknown, '{}'), [unknown, '{}']);
});

test('a schema cannot reach the prototype of what is made of it', () => {
  const inputSchema = JSON.parse('{"type":"object","__proto__":{"required":["x"]},"properties":{"__proto__":{"type":"string"}}}');
  const [tool] = Weir.open(null).catalog([{ name: 'one', pinned: true, inputSchema }]).export('openai').tools;
  assert.equal(Object.getPrototypeOf(tool.parameters), Object.prototype);
  assert.deepEqual(Object.keys(tool.parameters.properties), ['__proto__']);
  assert.equal(tool.parameters.required, undefined);
});

test('a part that a schema names in many ways is read once', () => {
  const numbers = Array.from({ length: 6000 }, (_, n) => n);
  const part = { properties: Object.fromEntries(numbers.map((n) => [`p${n}`, { type: 'string' }])) };
  const inputSchema = { anyOf: numbers.map((n) => ({ $ref: `#${n}/$defs/part` })), $defs: { part } };
  const made = Weir.open(null).catalog([{ name: 'one', pinned: true, inputSchema }]);
  const started = performance.now();
  const [tool] = made.export('openai', { mode: 'off' }).tools;
  assert.equal(Object.keys(tool.parameters.properties).length, 6000);
  assert.ok(performance.now() - started < 10_000);
});

test('settings count and what cannot be exported is said', () => {
  assert.match(catalog.export('gemini', { placement: 'block' }).block, /tool_1/);
  assert.equal(catalog.export('openai', { mode: 'off' }).tools.length, catalog.assemble({ mode: 'off' }).tools.length);
  const refused = (work, code, message) => assert.throws(work, (error) => error instanceof Refused && error.code === code && message.test(error.reason));
  refused(() => catalog.export('bedrock'), 'invalid', /^there is no form 'bedrock': export one of anthropic, anthropic-bm25,/);
  refused(() => catalog.export('openai', { pinn: ['one'] }), 'invalid', /did you mean `pin`/);
  const many = Array.from({ length: 513 }, (_, n) => ({ name: `tool_${n}`, inputSchema: { type: 'object' } }));
  refused(() => Weir.open(null).catalog(many).export('gemini', { mode: 'off' }), 'too-many-tools', /gemini takes 512 tools and these are 513/);
});
