// Names of options that are not known are refused, and the types have the same names as the code.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { withWeir } from '../src/adapters/mcp.js';
import { Results } from '../src/adapters/results.js';
import { Weir as InBrowser } from '../src/browser.js';
import { Conversation, Weir } from '../src/index.js';
import { Weir as InWorker } from '../src/worker.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-options-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
const weir = Weir.open(path.join(folder, 'store'));
const worker = await InWorker.open(null);
after(() => worker.close());
const intake = weir.intake('a', 't');
const none = { zzzzzzzzzzzzzzzz: 1 };
const types = (name) => fs.readFileSync(new URL(`../src/${name}.d.ts`, import.meta.url), 'utf8').replace(/\/\*\*.*?\*\/|=>/gs, '');

/** Each method with options: a call with these, and where its type is. */
const CALLS = {
  open: [(given) => Weir.open(null, given), 'index', 'Options'],
  transform: [(given) => weir.transform('a', 't', 'x', given), 'index', 'TransformOptions'],
  show: [(given) => weir.show('a', 't', 'x', given), 'index', 'TransformOptions'],
  transformMcp: [(given) => weir.transformMcp('a', 't', 'x', given), 'index'],
  threshold: [(given) => weir.threshold('a', 't', given), 'index'],
  intake: [(given) => weir.intake('a', 't', given), 'index', 'CallOptions', 'isError'],
  transformChunks: [(given) => weir.transformChunks('a', 't', [], given), 'index', 'CallOptions'],
  invoke: [(given) => weir.invoke('a', 'weir_fetch', {}, given), 'index'],
  read: [(given) => weir.read('a', 'id', given), 'index'],
  readEnd: [(given) => weir.readEnd('a', 'id', given), 'index'],
  readAll: [(given) => weir.readAll('a', 'id', given), 'index'],
  pages: [(given) => [...weir.pages('a', 'id', given)], 'index'],
  grep: [(given) => weir.grep('a', 'id', 'x', given), 'index', 'GrepOptions'],
  query: [(given) => weir.query('a', 'id', '.', given), 'index', 'QueryOptions'],
  outline: [(given) => weir.outline('a', 'id', given), 'index'],
  search: [(given) => weir.search('a', 'x', given), 'index'],
  diff: [(given) => weir.diff('a', 'id', given), 'index'],
  listBlobs: [(given) => weir.listBlobs('a', given), 'index'],
  check: [(given) => weir.check(given), 'index'],
  catalog: [(given) => weir.catalog([], given), 'index'],
  finish: [(given) => intake.finish(given), 'index'],
  constructor: [(given) => new Conversation(given), 'index', 'Conversation'],
  weirTools: [(given) => new Results(weir, given), 'adapters/adapters', 'AdapterOptions'],
};

/** Names at the top of the braces that begin at this place of a text. */
function members(text, at) {
  let [depth, name, names] = [0, '', []];
  for (const c of text.slice(at)) {
    if ('{(<['.includes(c)) depth += 1;
    if ('})>]'.includes(c)) depth -= 1;
    if (depth === 0) return names;
    if (depth === 1 && /[\w?:]/.test(c)) name += c;
    if (depth === 1 && !/[\w?:]/.test(c) || name.endsWith(':')) {
      if (name.endsWith('?:')) names.push(name.slice(0, -2));
      name = '';
    }
  }
  return assert.fail('the braces do not end');
}

function declared(method, file, type, without) {
  const text = types(file);
  if (type && type !== 'Conversation') {
    const [whole, base] = new RegExp(`interface ${type}(?: extends (\\w+))? \\{`).exec(text);
    const own = members(text, text.indexOf(whole) + whole.length - 1);
    return [...own, ...(base ? declared(method, file, base) : [])].filter((name) => name !== without);
  }
  const from = text.indexOf(`${method}(`, type ? text.indexOf(`class ${type}`) : 0);
  return members(text, text.indexOf('{', text.indexOf('options?: {', from)));
}

for (const [method, [call, ...where]] of Object.entries(CALLS)) {
  test(`${method} takes the options that its type has, and no other`, () => {
    const names = declared(method, ...where);
    assert.throws(() => call(none), (error) => {
      assert.equal(error.name, 'TypeError');
      assert.deepEqual(/: it has (.*)$/.exec(error.message)[1].split(', ').sort(), [...names].sort());
      return true;
    });
    for (const name of names) {
      const near = `${name.slice(0, -1)}`.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
      if (names.includes(near)) continue;
      assert.throws(() => call({ [near]: 1 }), { name: 'TypeError', message: new RegExp(`has no option '${near}': did you mean '${name}'\\?`) });
    }
    for (const wrong of [5, 'x', true, []]) assert.throws(() => call(wrong), { name: 'TypeError', message: /^the options of .* are an object with / });
  });
}

test('the other entries refuse the same', async () => {
  const refused = (work, message) => assert.rejects(work, { name: 'TypeError', message });
  await refused(worker.grep('a', 'id', 'x', { maxmatch: 1 }), "grep has no option 'maxmatch': did you mean 'maxMatches'?");
  await refused(worker.show('a', 't', 'x', none), /^show has no option/);
  await refused(worker.transformChunks('a', 't', [], { raw: '' }), /^transformChunks has no option 'raw': it has/);
  await refused(worker.catalog([], none), /^catalog has no option/);
  await refused(worker.pages('a', 'id', none).next(), /^pages has no option/);
  await refused(InWorker.open(null, { limit: {} }), "Weir.open has no option 'limit': did you mean 'limits'?");
  await refused(InWorker.open(null, { limits: { serch: 1 } }), "limits has no option 'serch': did you mean 'search'?");
  await refused(InBrowser.open(null, { sources: 1 }), "Weir.open has no option 'sources': did you mean 'source'?");
  assert.throws(() => withWeir({}, weir, { nam: 'x' }), { message: "withWeir has no option 'nam': did you mean 'name'?" });
});

test('settings of a catalog are refused by the component', () => {
  const catalog = weir.catalog([{ name: 'one' }]);
  assert.throws(() => catalog.assemble({ listingMaxToken: 1 }), { code: 'invalid', argument: 'settings', message: /did you mean `listing_max_tokens`/ });
  assert.throws(() => weir.catalog([{ name: 'one' }]).export('mcp', { moed: 'on' }), { code: 'invalid', message: /did you mean `mode`/ });
});
