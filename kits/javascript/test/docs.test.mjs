import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-docs-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
const entry = new URL('../src/index.js', import.meta.url);

for (const page of ['../README.md', '../../../docs/embedding/javascript.md']) {
  const url = new URL(page, import.meta.url);
  test(`the first lines of ${path.basename(page)} run as they are`, { skip: !fs.existsSync(url) && 'the page is not beside this kit' }, () => {
    const [, code] = /```js\n(.*?)```/s.exec(fs.readFileSync(url, 'utf8'));
    const file = path.join(folder, `${path.basename(page)}.mjs`);
    fs.writeFileSync(file, code.replaceAll("'weir-wasm'", `'${entry}'`));
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /this is an excerpt/);
    assert.match(stdout.slice(stdout.lastIndexOf('[weir:')), /4321: error: disk is full/);
  });
}
