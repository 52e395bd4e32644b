// The browser entry in a real browser, with the store in OPFS: node chromium.mjs CHROMIUM
//
// A page stores a result, is loaded again and reads it back; a second page is refused meanwhile; the worker entry
// serves the same store and is ended by its deadline. The page sends what it found to the server that it came from.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const kit = new URL('..', import.meta.url);
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const PAGE = `<!doctype html><script type="module">
const lines = Array.from({ length: 9000 }, (_, n) => (n + 1) + ': ' + (n === 4320 ? 'error: disk is full' : 'all is well') + '\\n').join('');
const found = {};
try {
  const { Weir } = await import('/src/browser.js');
  const turn = Number(sessionStorage.turn ?? 0);
  const weir = await Weir.open('weir/store');
  if (turn === 0) {
    const { reason, handles: [{ id }] } = await weir.transform('alice', 'read_log', lines);
    sessionStorage.turn = 1;
    sessionStorage.id = id;
    sessionStorage.reason = reason;
    location.reload();
    await new Promise(() => {});
  }
  found.reason = sessionStorage.reason;
  found.grep = (await weir.invoke('alice', 'weir_fetch', { id: sessionStorage.id, mode: 'grep', pattern: 'error:' })).text;
  let text = '';
  for await (const page of weir.pages('alice', sessionStorage.id)) text += page.content;
  found.whole = text === lines;
  found.second = await Weir.open('weir/store').then(() => 'opened', (error) => error.name);
  found.swept = await weir.sweep();
  await weir.close();
  found.closed = [await weir.info().catch((error) => error.code)];
  const { Weir: InWorker } = await import('/src/worker.js');
  const worker = await InWorker.open('weir/store', { log: () => {} });
  found.worker = (await worker.grep('alice', sessionStorage.id, 'error:')).matches;
  const catalog = await worker.catalog({ all: Array.from({ length: 2000 }, (_, n) => ({ name: 'tool_' + n, description: n === 500 ? 'Send an invoice to a customer' : 'Does something' })) });
  found.active = (await catalog.assemble()).active;
  await worker.close();
  found.closed.push(await worker.info().catch((error) => error.code));
  const hasty = await InWorker.open(null, { limits: { transform: 1 }, log: () => {} });
  found.late = await hasty.transform('alice', 'read_log', lines.repeat(40)).then(() => 'answered', (error) => error.reason);
} catch (error) {
  found.error = String(error.stack ?? error);
}
await fetch('/found', { method: 'POST', body: JSON.stringify(found) });
</script>`;

/** What the page asked for and is not there. */
const missing = [];
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-chromium-'));
let browser;
try {
  const found = await new Promise((resolve, reject) => {
    const server = http.createServer((request, response) => {
      if (process.env.WEIR_TEST_LOUD) console.error(request.method, request.url);
      if (request.method === 'POST') {
        let body = '';
        request.on('data', (part) => { body += part; });
        request.on('end', () => { response.end(); server.close(); resolve(JSON.parse(body)); });
        return;
      }
      const name = request.url === '/' ? undefined : new URL(`.${path.posix.normalize(request.url.split('?')[0])}`, kit);
      if (name && !fs.existsSync(name)) {
        if (request.url !== '/favicon.ico') missing.push(request.url);
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': TYPES[path.extname(name?.pathname ?? 'page.html')] ?? 'application/octet-stream' });
      response.end(name ? fs.readFileSync(name) : PAGE);
    });
    server.listen(0, '127.0.0.1', () => {
      browser = spawn(process.argv[2], [
        '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', ...(process.env.WEIR_TEST_LOUD ? ['--enable-logging=stderr'] : []),
        `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`,
      ], { stdio: process.env.WEIR_TEST_LOUD ? 'inherit' : 'ignore' });
      browser.on('error', reject);
      browser.on('exit', (code) => reject(new Error(`the browser ended with ${code}`)));
    });
  });
  assert.equal(found.error, undefined);
  assert.deepEqual(missing, []);
  assert.deepEqual(found.closed, ['closed', 'closed']);
  assert.equal(found.reason, 'stored');
  assert.match(found.grep, /4321: error: disk is full/);
  assert.equal(found.whole, true);
  assert.equal(found.second, 'StoreError');
  assert.equal(found.swept.more, undefined);
  assert.equal(found.worker, 1);
  assert.equal(found.active, true);
  assert.equal(found.late, 'deadline');
  console.log('the browser entry passes in Chromium, with the store in OPFS');
} finally {
  if (browser && browser.exitCode === null) {
    const ended = new Promise((resolve) => { browser.removeAllListeners('exit'); browser.on('exit', resolve); });
    browser.kill();
    await ended;
  }
  fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
