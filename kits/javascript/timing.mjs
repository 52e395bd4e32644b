// Node's part of ../timing.py: node timing.mjs COMPONENT SNAPSHOT STORE
import fs from 'node:fs';

const [, snapshot, store] = process.argv.slice(2);
const used = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
const begun = process.cpuUsage();
const { Weir } = await import('./src/index.js');
const imported = process.cpuUsage();
const weir = Weir.open(store);
weir.show('s', 't', 'all is well');
const found = { import: used(begun) - used(imported), first: used(imported) };
const { servers } = JSON.parse(fs.readFileSync(snapshot, 'utf8'));

/** Milliseconds of CPU: the first, and the median of some after so many that warm up. */
function measure(name, work, warm, times) {
  const first = process.cpuUsage();
  work(-1);
  found[`${name} first`] = used(first);
  for (let n = 1; n < warm; n++) work(-1);
  const took = [];
  for (let n = 0; n < times; n++) {
    const start = process.cpuUsage();
    work(n);
    took.push(used(start));
  }
  found[name] = took.sort((a, b) => a - b)[Math.floor(times / 2)];
}

function logText(size, turn) {
  const line = `2026-01-02T03:04:05Z worker-${(turn + 7) % 7} INFO request served in 12 ms, all is well\n`;
  return `turn ${turn}\n${line.repeat(Math.floor(size / line.length))}`;
}

const text = Object.fromEntries([1, 10].map((mb) => [mb, Array.from({ length: 6 }, (_, n) => logText(mb * 1e6, n - 1))]));
// V8 runs code that it compiled in haste until the better one is ready, whose making counts here, too.
measure('instance', () => weir.strings(), 1, 20);
measure('small', () => weir.show('s', 't', 'all is well '.repeat(8)), 1, 100);
measure('transform 1 MB', (n) => weir.show('s', 't', text[1][n + 1]), 20, 5);
measure('transform 10 MB', (n) => weir.show('s', 't', text[10][n + 1]), 3, 5);
const { id } = weir.transform('s', 't', text[10][0]).handles[0];
measure('grep 10 MB', () => weir.invoke('s', 'weir_fetch', { id, mode: 'grep', pattern: 'nowhere' }), 20, 5);
const made = [];
measure('catalog', () => made.push(weir.catalog(servers)), 1, 3);
measure('search', () => made[0].search('open a pull request'), 20, 20);
console.log(JSON.stringify(found));
