// Node's part of ../timing.py: node timing.mjs COMPONENT SNAPSHOT STORE
import fs from 'node:fs';

const [, snapshot, store] = process.argv.slice(2);
const used = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
const begun = process.cpuUsage();
const { Weir } = await import('./src/index.js');
const imported = process.cpuUsage();
const weir = Weir.open(store);
weir.show('s', 't', 'all is well');
const opened = { import: used(begun) - used(imported), first: used(imported) };
const { servers } = JSON.parse(fs.readFileSync(snapshot, 'utf8'));

/** Milliseconds of CPU: the median. */
function measure(work, times) {
  work(-1);
  const took = [];
  for (let n = 0; n < times; n++) {
    const start = process.cpuUsage();
    work(n);
    took.push(used(start));
  }
  return took.sort((a, b) => a - b)[Math.floor(times / 2)];
}

function logText(size, turn) {
  const line = `2026-01-02T03:04:05Z worker-${(turn + 7) % 7} INFO request served in 12 ms, all is well\n`;
  return `turn ${turn}\n${line.repeat(Math.floor(size / line.length))}`;
}

const text = Object.fromEntries([1, 10].map((mb) => [mb, Array.from({ length: 6 }, (_, n) => logText(mb * 1e6, n - 1))]));
const found = {
  ...opened,
  instance: measure(() => weir.strings(), 20),
  small: measure(() => weir.show('s', 't', 'all is well '.repeat(8)), 100),
  'transform 1 MB': measure((n) => weir.show('s', 't', text[1][n + 1]), 5),
  'transform 10 MB': measure((n) => weir.show('s', 't', text[10][n + 1]), 5),
};
const { id } = weir.transform('s', 't', text[10][0]).handles[0];
const grep = () => weir.invoke('s', 'weir_fetch', { id, mode: 'grep', pattern: 'nowhere' });
found['grep 10 MB'] = measure(grep, 5);
// V8 runs code that it compiled in haste until the better one is ready, whose making counts here, too.
measure(grep, 15);
found['grep warm'] = measure(grep, 15);
const made = [];
found.catalog = measure(() => made.push(weir.catalog(servers)), 3);
found.search = measure(() => made[0].search('open a pull request'), 20);
console.log(JSON.stringify(found));
