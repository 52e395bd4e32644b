// The browser entry, over directory handles with the functions of OPFS that it uses.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { MemoryFs, Refused, Weir } from '../src/browser.js';

class FileHandle {
  kind = 'file';
  bytes = new Uint8Array(0);
  async getFile() { return new Blob([this.bytes]); }
  async createWritable() {
    const parts = [];
    return { write: async (part) => { parts.push(part); }, close: async () => { this.bytes = new Uint8Array(await new Blob(parts).arrayBuffer()); } };
  }
}

class DirectoryHandle {
  kind = 'directory';
  inner = new Map();
  async *entries() { yield* this.inner; }
  async getDirectoryHandle(name, { create } = {}) { return this.get(name, create && (() => new DirectoryHandle())); }
  async getFileHandle(name, { create } = {}) { return this.get(name, create && (() => new FileHandle())); }
  get(name, make) {
    if (!this.inner.has(name)) {
      if (!make) throw Object.assign(new Error(name), { name: 'NotFoundError' });
      this.inner.set(name, make());
    }
    return this.inner.get(name);
  }
  async removeEntry(name) {
    if (this.inner.get(name)?.inner?.size) throw Object.assign(new Error(name), { name: 'InvalidModificationError' });
    if (!this.inner.delete(name)) throw Object.assign(new Error(name), { name: 'NotFoundError' });
  }
}

const source = async (name) => {
  const url = new URL(`../component/${name}`, import.meta.url);
  return fs.existsSync(url) ? fs.readFileSync(url) : undefined;
};
const log = Array.from({ length: 9000 }, (_, n) => `${n + 1}: all is well\n`).join('');

test('a store is kept in a directory handle and there when it is opened again', async () => {
  const handle = new DirectoryHandle();
  const weir = await Weir.open(handle, { source });
  const { handles: [{ id }] } = await weir.transform('alice', 'read_log', log);
  const { handles: [{ id: gone }] } = await weir.transform('alice', 'read_log', `${log}!`);
  await weir.forget('alice', gone);
  await weir.close();
  for (const late of [weir.info(), weir.show('alice', 'read_log', log), weir.catalog([])]) await assert.rejects(late, { code: 'closed' });
  await weir[Symbol.asyncDispose]();

  const again = await Weir.open(handle, { source });
  let text = '';
  for await (const page of again.pages('alice', id)) text += page.content;
  assert.equal(text, log);
  await assert.rejects(again.stat('alice', gone), (error) => error instanceof Refused && error.code === 'gone');
  const { usedAt } = await again.stat('alice', id);
  assert.ok(Math.abs(usedAt - Date.now() / 1000) < 600);
  assert.equal((await again.sweep()).more, undefined);
  assert.equal((await again.check()).blobs, 1);
});

test('only files that are there are asked for, and compiled as they arrive', async (context) => {
  const [asked, streamed] = [[], []];
  const { compileStreaming } = WebAssembly;
  context.mock.method(WebAssembly, 'compileStreaming', (given) => { streamed.push(given); return compileStreaming(given); });
  context.mock.method(globalThis, 'fetch', async (url) => {
    asked.push(url.href);
    if (!fs.existsSync(url)) return new Response('', { status: 404 });
    const type = streams ? 'application/wasm' : 'application/octet-stream';
    return new Response(fs.readFileSync(url), { headers: { 'content-type': type } });
  });
  let streams = true;
  for (const n of [1, 2]) {
    // A module of its own has compiled nothing before.
    const { Weir: Fresh } = await import(`../src/browser.js?${n}`);
    const weir = await Fresh.open(null);
    assert.ok((await weir.info()).version);
    assert.equal(streamed.length, asked.length / n);
    streams = false;
  }
  const folder = fs.readdirSync(new URL('../component/', import.meta.url)).filter((name) => name.endsWith('.wasm'));
  assert.equal(asked.length, 2 * folder.length);
  assert.ok(asked.every((url) => fs.existsSync(new URL(url))), asked.join());
  const { Weir: Without } = await import('../src/browser.js?3');
  await assert.rejects(Without.open(null, { source: async () => undefined }), { code: 'component', message: /there is no .*weir\.core\.wasm/ });
});

test('files are closed where the language has no Symbol.dispose: by the symbol that the transpiled component has then', () => {
  const text = (name) => fs.readFileSync(new URL(name, import.meta.url), 'utf8');
  assert.match(text('../component/weir.js'), /= Symbol\.dispose \|\| Symbol\.for\('dispose'\);/);
  assert.match(text('../src/options.js'), /DISPOSE = Symbol\.dispose \?\? Symbol\.for\('dispose'\);/);
  for (const name of fs.readdirSync(new URL('../src/', import.meta.url)).filter((name) => /\.js$/.test(name) && name !== 'options.js')) {
    assert.doesNotMatch(text(`../src/${name}`), /Symbol\.(asyncD|d)ispose/);
  }
});

test('without a directory nothing is kept', async () => {
  const weir = await Weir.open(null, { source });
  assert.ok((await weir.show('alice', 'read_log', log)).length <= 6000);
});

test('the file system in memory behaves as that of the machine where the store depends on it', () => {
  const memory = new MemoryFs();
  const { O_RDWR, O_CREAT, O_EXCL, O_WRONLY, O_APPEND } = memory.constants;
  const code = (work) => { try { work(); } catch (error) { return error.code; } return undefined; };
  memory.mkdirSync('/a');
  const fd = memory.openSync('/a/x', O_RDWR | O_CREAT | O_EXCL);
  assert.equal(code(() => memory.openSync('/a/x', O_RDWR | O_CREAT | O_EXCL)), 'EEXIST');
  memory.writeSync(fd, new Uint8Array([1, 2, 3]), 0, 3, 2);
  const buffer = new Uint8Array(8);
  assert.equal(memory.readSync(fd, buffer, 0, 8, 0), 5);
  assert.deepEqual([...buffer.subarray(0, 5)], [0, 0, 1, 2, 3]);
  const [one, two] = [0, 1].map(() => memory.openSync('/a/x', O_WRONLY | O_APPEND));
  memory.writeSync(one, new Uint8Array([4]), 0, 1, null);
  memory.writeSync(two, new Uint8Array([5]), 0, 1, null);
  assert.equal(memory.fstatSync(fd).size, 7);
  memory.renameSync('/a/x', '/a/y');
  assert.equal(memory.fstatSync(fd).size, 7);
  assert.equal(code(() => memory.lstatSync('/a/x')), 'ENOENT');
  assert.equal(code(() => memory.rmdirSync('/a')), 'ENOTEMPTY');
  assert.equal(code(() => memory.mkdirSync('/a/y')), 'EEXIST');
  assert.equal(code(() => memory.readdirSync('/a/y')), 'ENOTDIR');
});
