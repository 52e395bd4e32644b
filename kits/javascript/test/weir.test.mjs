import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { Conversation, Refused, SettingsError, StoreError, Trapped, Weir, WeirError } from '../src/index.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-js-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
let count = 0;
const directory = () => path.join(folder, `store-${++count}`);
const open = (options) => Weir.open(directory(), options);
export const line = (n) => `${n}: ${n === 4321 ? 'error: disk is full' : 'all is well'}\n`;
const log = Array.from({ length: 9000 }, (_, n) => line(n + 1)).join('');
const stored = (weir, text, tool = 'read_log') => weir.transform('alice', tool, text).handles[0].id;
const refusal = (work) => {
  try { work(); } catch (error) {
    assert.ok(error instanceof Refused, String(error));
    return error;
  }
  return assert.fail('nothing was refused');
};

test('a large text becomes an excerpt that the shown tool reads back', () => {
  const weir = open();
  const shown = weir.show('alice', 'read_log', log);
  assert.ok(shown.length <= 6000 && shown.includes('4321'));
  const [tool] = weir.resultTools();
  assert.equal(tool.name, 'weir_fetch');
  assert.equal(tool.inputSchema.type, 'object');
  const { id } = weir.listBlobs('alice').entries[0].handle;
  assert.ok(shown.includes(id));
  const answer = weir.invoke('alice', 'weir_fetch', { id, mode: 'grep', pattern: 'error:' });
  assert.match(answer.text, /4321: error: disk is full/);
  assert.equal(weir.invoke('alice', 'weir_fetch', 'no JSON').isError, true);
});

test('a small text stays, and answers can be printed as JSON', () => {
  const weir = open();
  assert.equal(weir.show('alice', 'read_log', 'small'), 'small');
  const transformed = weir.transform('alice', 'read_log', log);
  assert.equal(JSON.parse(JSON.stringify(transformed)).handles[0].lines, 9000);
  const image = { mediaType: 'image/png', data: 'AAAA' };
  const { parts } = weir.transform('alice', 'shot', [image, log, { uri: 'file:///a', name: 'a' }]);
  assert.deepEqual([parts[0], parts[2]], [image, { uri: 'file:///a', name: 'a' }]);
});

test('an MCP result keeps its other members', () => {
  const weir = open();
  const result = { content: [{ type: 'text', text: log }], isError: false, _meta: { cost: 1.5 } };
  const answer = weir.transformMcp('alice', 'read_log', result, { server: 'files', arguments: { path: '/a' } });
  assert.equal(answer.replaced, true);
  assert.deepEqual(answer.result._meta, { cost: 1.5 });
  assert.equal(answer.handles[0].source, '/a');
});

test('a stream that is awaited is taken, and a character that two pieces share stays whole', async () => {
  const weir = open();
  const whole = (id) => [...weir.pages('alice', id)].map((page) => page.content).join('');
  async function* lines() { for (let n = 1; n <= 9000; n++) yield line(n); }
  assert.equal(whole((await weir.transformChunks('alice', 'read_log', lines())).handles[0].id), log);
  const body = new Response(log + 1).body;
  assert.equal(whole((await weir.transformChunks('alice', 'fetch', body)).handles[0].id), log + 1);
  const [high, low] = '😀'.split('');
  const pieces = (...last) => whole(weir.transformChunks('alice', 'read_log', [log + high, ...last]).handles[0].id).slice(log.length);
  assert.equal(pieces(low + 'b'), '😀b');
  assert.equal(pieces('b'), '\ufffdb');
  assert.equal(pieces(), '\ufffd');
  assert.equal(pieces(new Uint8Array([98])), '\ufffdb');
  async function* broken() { yield log; throw new Error('mine'); }
  await assert.rejects(weir.transformChunks('alice', 'read_log', broken()), /mine/);
});

test('values of a wrong type are named, and the next call goes on', () => {
  const weir = open();
  for (const [work, said] of [
    [() => weir.show('alice', 'read_log', undefined), /not undefined/],
    [() => weir.transform('alice', 'read_log', Buffer.from(log)), /not Buffer; bytes are taken by transformChunks/],
    [() => weir.transform('alice', 'read_log', 7), /not Number/],
    [() => weir.transform(7, 'read_log', log), /transform: expected a string, received/],
    [() => weir.transformChunks('alice', 'read_log', [7]), /a chunk is a string or a Uint8Array/],
    [() => weir.read('alice', 'cc537e42', { start: 1.5 }), /an integer is needed here, not 1.5/],
    [() => weir.read('alice', 'cc537e42', { count: NaN }), /an integer is needed here, not NaN/],
    [() => weir.read('alice', 'cc537e42', { count: -1 }), /an integer of at least 0 is needed here, not -1/],
    [() => weir.read('alice', 'cc537e42', { unit: 'line' }), /read: "line" is not one of the cases of unit/],
    [() => weir.grep('alice', 'cc537e42', 'x', { maxMatches: -1 }), /at least 0 is needed here, not -1/],
    [() => weir.grep('alice', 'cc537e42', 'x', { maxMatches: 2 ** 32 }), /at most 4294967295 is needed here, not 4294967296/],
    [() => weir.transform('alice', 'read_log', log, { maxChars: 2 ** 40 }), /at most 4294967295 is needed here/],
    [() => weir.threshold('alice', 'read_log', { maxChars: 2n ** 40n }), /at most 4294967295 is needed here/],
    [() => weir.listBlobs('alice', { maxEntries: 2 ** 32 }), /at most 4294967295 is needed here/],
    [() => weir.read('alice', 'cc537e42', { count: 2 ** 60 }), /at most 9007199254740991 is needed here/],
    [() => weir.grep('alice', 'cc537e42', 'x', { caseMode: 'x' }), /grep: "x" is not one of the cases of case-mode/],
    [() => weir.transform('alice', 'read_log', log, { maxChars: '9' }), /an integer is needed here, not '9'/],
    [() => weir.catalog(), /a catalog is made of .*, not of undefined/],
    [() => Weir.open(), /null opens none/],
  ]) {
    assert.throws(work, (error) => error.name === 'TypeError' && said.test(error.message));
    assert.ok(stored(weir, log));
  }
});

test('code without the files of the component says what to do', async () => {
  const alone = path.join(folder, 'alone');
  fs.cpSync(new URL('../src', import.meta.url), path.join(alone, 'src'), { recursive: true });
  fs.mkdirSync(path.join(alone, 'component'));
  for (const name of ['weir.js', 'modules.js']) {
    fs.copyFileSync(new URL(`../component/${name}`, import.meta.url), path.join(alone, 'component', name));
  }
  fs.writeFileSync(path.join(alone, 'package.json'), '{"type":"module"}');
  const { Weir: Alone } = await import(pathToFileURL(path.join(alone, 'src', 'index.js')));
  assert.throws(() => Alone.open(directory()), { code: 'component', message: /there is no file:.*component\/weir\.core\.wasm\..*external in the bundler/ });
});

test('every byte is reached page after page', () => {
  const weir = open();
  const id = stored(weir, log);
  assert.equal([...weir.pages('alice', id)].map((page) => page.content).join(''), log);
  assert.equal(weir.read('alice', id, { start: -1 }).content, '9000: all is well\n');
  assert.equal(weir.readEnd('alice', id, { lines: 1 }).content, '9000: all is well\n');
  assert.equal(weir.stat('alice', id).handle.lines, 9000);
  assert.equal(refusal(() => weir.readAll('alice', id)).total, log.length);
});

test('questions to a result', () => {
  const weir = open();
  const id = stored(weir, log);
  const page = weir.grep('alice', id, 'error: \\w+', { regex: true, before: 1 });
  assert.deepEqual(page.lines.map((one) => one.line), [4320, 4321]);
  const rows = stored(weir, JSON.stringify(Array.from({ length: 2000 }, (_, n) => ({ id: n }))), 'rows');
  assert.equal(weir.query('alice', rows, '.id', { reduce: 'max' }).content.trim(), '1999');
  assert.ok(weir.outline('alice', rows).total > 0);
  assert.ok(weir.search('alice', 'disk is full', { id }).passages[0].lastLine >= 4321);
  const newer = stored(weir, log.replace('9000: all is well', '9000: all is lost'));
  assert.match(weir.diff('alice', newer, { older: id }).content, /all is lost/);
});

test('refusals have a code, and forgetting leaves a tombstone', () => {
  const weir = open();
  const id = stored(weir, log);
  assert.equal(refusal(() => weir.stat('bob', id)).code, 'unknown');
  assert.equal(refusal(() => weir.stat('alice', 'x')).code, 'malformed-id');
  assert.equal(refusal(() => weir.transform('', 't', log)).code, 'bad-session');
  assert.equal(refusal(() => weir.grep('alice', id, '(', { regex: true })).argument, 'pattern');
  weir.pin('alice', id);
  assert.equal(weir.stat('alice', id).pinned, true);
  assert.equal(weir.forget('alice', id).heldElsewhere, false);
  assert.equal(refusal(() => weir.stat('alice', id)).gone.reason, 'deleted');
});

test('an intake takes a stream in pieces, and leaves nothing when it is closed', () => {
  const weir = open();
  const text = Array.from({ length: 3000 }, (_, n) => `${n} größer €\n`).join('');
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1001) }, (_, n) => bytes.subarray(n * 1001, n * 1001 + 1001));
  const { handles } = weir.transformChunks('alice', 'curl', pieces);
  assert.equal(handles[0].bytes, bytes.length);
  assert.equal([...weir.pages('alice', handles[0].id)].map((page) => page.content).join(''), text);
  const used = weir.status().usedBytes;
  const intake = weir.intake('alice', 'curl');
  intake.write('x'.repeat(100_000));
  intake.close();
  assert.throws(() => intake.write('too late'), TypeError);
  assert.equal(weir.status().usedBytes, used);
  assert.deepEqual(weir.transformChunks('alice', 'curl', ['sm', 'all']).parts, ['small']);
});

test('settings hold, and bad ones are named', () => {
  const weir = open({ settings: { transform: { threshold_chars: 2000 } } });
  assert.equal(weir.transform('alice', 't', 'x\n'.repeat(1500)).replaced, true);
  weir.release();
  assert.equal(weir.threshold('alice', 't'), 2000);
  assert.throws(() => open({ settings: { transform: { threshold_chars: 'many' } } }), SettingsError);
  assert.equal(weir.defaultSettings().transform.threshold_chars, 12_000);
});

test('times of files are what the clock says, and counts are appended', () => {
  const weir = open();
  const before = Math.floor(Date.now() / 1000) - 2;
  const id = stored(weir, log);
  for (let turn = 0; turn < 3; turn++) weir.read('alice', id, { count: 1 });
  const { usedAt, storedAt } = weir.stat('alice', id);
  assert.ok(usedAt >= before && usedAt <= Date.now() / 1000 + 2, String(usedAt));
  assert.ok(storedAt >= before);
  const counted = new Map(weir.status().uses.map((use) => [use.what, use.count]));
  assert.equal(counted.get('put'), 1);
});

test('a full store makes room', () => {
  const weir = open({ settings: { store: { max_bytes: '256 KiB', grace: '0s' } } });
  for (let turn = 0; turn < 8; turn++) {
    const { storeFailure } = weir.transform('alice', 't', `put ${turn}\n${`${turn} 0123456789 abcdefgh\n`.repeat(3000)}`);
    assert.equal(storeFailure, undefined);
  }
  assert.ok(weir.status().usedBytes <= 256 * 1024);
});

test('nothing outside of the directory can be reached, nor through a symbolic link', () => {
  const weir = open();
  const id = stored(weir, log);
  const blobs = path.join(weir.directory, 'blobs');
  const moved = path.join(folder, `elsewhere-${count}`);
  fs.renameSync(path.join(blobs, id.slice(0, 2)), moved);
  fs.symlinkSync(moved, path.join(blobs, id.slice(0, 2)));
  assert.throws(() => weir.read('alice', id), Refused);
  fs.mkdirSync(path.join(folder, 'open'), { mode: 0o777 });
  fs.chmodSync(path.join(folder, 'open'), 0o777);
  assert.throws(() => Weir.open(path.join(folder, 'open')), StoreError);
});

test('after a fault there is another instance, and the text is shown as it came', () => {
  const told = [];
  const weir = open({ log: (message) => told.push(message) });
  const id = stored(weir, log);
  weir.instance.exports = { resultTransform: { transform() { throw new WebAssembly.RuntimeError('unreachable'); } } };
  assert.equal(weir.show('alice', 'read_log', log), log);
  assert.match(told[0], /shown as it came/);
  assert.equal(weir.stat('alice', id).handle.id, id);
  weir.instance.exports = {};
  assert.throws(() => weir.status(), Trapped);
});

test('a catalog is searched, described and called', () => {
  const weir = Weir.open(null);
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const tools = Array.from({ length: 99 }, (_, n) => ({ name: `tool_${n}`, description: `Does ${n}.`, inputSchema }));
  tools.push({ name: 'read_file', description: 'Reads a file from disk.', inputSchema });
  const catalog = weir.catalog({ files: tools });
  const assembly = catalog.assemble({ mode: 'on', listingMaxTokens: 200 });
  assert.deepEqual(assembly.tools.map((tool) => tool.name), ['tool_search', 'tool_describe', 'tool_call']);
  const conversation = new Conversation();
  assert.match(catalog.search('read a file', conversation).text, /read_file/);
  const [call] = catalog.invoke('tool_call', { calls: [{ name: 'read_file', arguments: { path: '/a' } }] }, conversation).calls;
  assert.deepEqual([call.server, call.name, call.arguments], ['files', 'read_file', { path: '/a' }]);
  assert.equal(refusal(() => catalog.assemble({ required: ['none'] })).code, 'missing-tools');
  assert.equal(refusal(() => weir.status()).code, 'storage');
});

test('a sweeper sweeps at once', () => {
  const sweeper = open().sweeper();
  sweeper.stop();
  assert.equal(sweeper.last.more, undefined);
});

test('what is closed says so, and frees what it holds', () => {
  const weir = open();
  const catalog = weir.catalog([{ name: 'one' }]);
  const intake = weir.intake('alice', 'curl');
  const sweeper = weir.sweeper();
  weir.close();
  weir[Symbol.dispose]();
  assert.equal(weir.instance, undefined);
  assert.equal(sweeper._timer._destroyed, true);
  for (const late of [
    () => weir.status(), () => weir.show('alice', 't', log), () => weir.intake('alice', 't'), () => weir.strings(), () => weir.sweeper().last.seen,
    () => weir.catalog([]), () => catalog.assemble(), () => intake.write('x'), () => intake.finish(),
  ]) {
    try { late(); } catch (error) {
      if (error instanceof WeirError) assert.deepEqual([error.code, error.message], ['closed', 'this Weir is closed: open its directory anew']);
      continue;
    }
    assert.fail(`${late} went through`);
  }
  for (const one of [catalog, intake, sweeper]) one[Symbol.dispose]();
});

test('what is opened ends with its block', () => {
  // What a compiler makes of `using`.
  const weir = open();
  const used = [weir, weir.catalog([{ name: 'one' }]), weir.intake('alice', 'curl'), weir.sweeper()];
  for (const one of used.reverse()) assert.equal(one[Symbol.dispose](), undefined);
  assert.throws(() => weir.info(), { code: 'closed' });
});

test('what console.log shows is short', () => {
  const weir = open();
  assert.equal(inspect(weir), `Weir(${JSON.stringify(weir.directory)})`);
  assert.match(inspect({ all: weir.catalog([{ name: 'one' }]) }), /^\{\s+all: Catalog\([0-9a-f]{64}\)\s+\}$/);
});
