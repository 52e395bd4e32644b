// A worker of ../contention.py: node contention.mjs STORE SEED SECONDS
import assert from 'node:assert/strict';
import { Weir } from './src/index.js';

const [store, seed, seconds] = process.argv.slice(2);
const weir = Weir.open(store);
const session = `session ${seed}`;
const kept = new Map();
const until = performance.now() + seconds * 1000;
let turn = 0;

/** A text that its reader can make again; every third is the same for all workers. */
function text(of) {
  const name = of % 3 === 0 ? 'all' : seed;
  return Array.from({ length: 400 + (of % 7) * 300 }, (_, n) => `${name} ${of} line ${n}: ${'x'.repeat(n % 50)}\n`).join('');
}

const whole = (id) => [...weir.pages(session, id)].map((page) => page.content).join('');

while (performance.now() < until) {
  turn += 1;
  const { replaced, storeFailure, handles } = weir.transform(session, 'tool', text(turn));
  assert.ok(replaced && storeFailure === undefined, storeFailure);
  kept.set(handles[0].id, turn);
  const [id, of] = [...kept][(turn * 7919) % kept.size];
  assert.ok(whole(id) === text(of), `${seed}: ${id} is not what was stored`);
  if (turn % 4 === 0) assert.equal(weir.grep(session, id, `${of} line 399:`).matches, 1);
  if (turn % 5 === 0) {
    weir.forget(session, id);
    kept.delete(id);
  }
  if (turn % 10 === 0) {
    const { foreign, expired } = weir.sweep();
    assert.deepEqual([foreign, expired], [0, 0]);
  }
}
for (const [id, of] of kept) assert.ok(whole(id) === text(of), `${seed}: ${id} is lost`);
console.log(JSON.stringify({ turns: turn }));
