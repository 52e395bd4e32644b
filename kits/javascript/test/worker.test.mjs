import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Conversation, Refused, Trapped, Weir } from '../src/worker.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-worker-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
const log = Array.from({ length: 9000 }, (_, n) => `${n + 1}: all is well\n`).join('');

test('a worker answers as the entry without one, and is ended when a call takes too long', async () => {
  const told = [];
  const weir = await Weir.open(path.join(folder, 'store'), { limits: { search: 60_000 }, log: (line) => told.push(line) });
  const shown = await weir.show('alice', 'read_log', log);
  assert.ok(shown.length <= 6000);
  const { id } = (await weir.listBlobs('alice')).entries[0].handle;
  let text = '';
  for await (const page of weir.pages('alice', id)) text += page.content;
  assert.equal(text, log);
  async function* stream() { yield log; yield 'end'; }
  assert.equal((await weir.transformChunks('alice', 'read_log', stream())).handles[0].lines, 9001);
  await assert.rejects(weir.transform(7, 't', log), { name: 'TypeError', message: /expected a string/ });
  await assert.rejects(weir.stat('bob', id), (error) => error instanceof Refused && error.code === 'unknown' && error.reason !== '');

  const catalog = await weir.catalog({ files: [{ name: 'read_file', description: 'Reads a file.' }] });
  const conversation = new Conversation();
  assert.match((await catalog.search('read a file', conversation)).text, /read_file/);
  assert.equal(conversation.state.searches.length, 1);

  // No time at all: the call cannot be done before it.
  weir._limits.transform = 0;
  await assert.rejects(weir.transform('alice', 't', log.repeat(100)), (error) => error instanceof Trapped && error.reason === 'deadline');
  assert.equal(await weir.show('alice', 't', log.repeat(100)), log.repeat(100));
  assert.match(told[0], /shown as it came/);
  weir._limits.transform = 60_000;
  assert.equal((await weir.stat('alice', id)).handle.id, id);
  assert.match((await catalog.search('read a file')).text, /read_file/);
  await weir.close();
  await weir[Symbol.asyncDispose]();
  for (const late of [weir.info(), catalog.assemble(), weir.show('alice', 't', log), weir.catalog([])]) {
    await assert.rejects(late, { code: 'closed', message: /this Weir is closed/ });
  }
  await catalog[Symbol.asyncDispose]();
});
