#!/usr/bin/env bash
# cron-schedule 6.0.0 (npm), "a zero-dependency cron parser and scheduler"; croner 10 (npm) for comparison.
# Behaviour: of a part of the expression that it does not know it takes the number in front and drops the rest, without an error. 1#2 (the second Monday) is each Monday, 5L (the last Friday)
# each Friday, 15W (the working day nearest to the 15th) the 15th, and 30/20 (from 30 on, each 20 minutes) is 30 alone. A lone L or ? is refused as it should be.
# Seen:   0 9 * * 1#2: 5, 12, 19 January / 0 9 * * 5L: 2, 9, 16 January / 0 9 15W * *: 15 February, a Sunday / 30/20: once an hour
# Expected by most: the dates of the others, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund cron-schedule@6.0.0 croner@11.0.1 2> /dev/null
cat > run.mjs <<'JS'
process.env.TZ = 'UTC';
const { parseCronExpression } = await import('cron-schedule');
const { Cron } = await import('croner');
const from = new Date('2026-01-01T00:00:00Z');
const show = (dates) => dates.map((date) => date.toISOString().slice(5, 16).replace('T', ' ')).join(', ');
const attempt = (work) => { try { return show(work()); } catch { return 'refused'; } };
for (const rule of ['0 9 * * 1', '0 9 * * 1#2', '0 9 * * 5L', '0 9 15W 1,2,3 *', '30/20 * * * *', '0 9 L * *', '0 9 * * 1-5/2']) {
  console.log(`${rule}: cron-schedule ${attempt(() => parseCronExpression(rule).getNextDates(3, from))}; croner ${attempt(() => new Cron(rule, { timezone: 'UTC' }).nextRuns(3, from))}`);
}
JS
for name in cron-schedule croner; do node -p "'$name ' + JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version"; done
node run.mjs | tee out
diff out - <<'END'
0 9 * * 1: cron-schedule 01-05 09:00, 01-12 09:00, 01-19 09:00; croner 01-05 09:00, 01-12 09:00, 01-19 09:00
0 9 * * 1#2: cron-schedule 01-05 09:00, 01-12 09:00, 01-19 09:00; croner 01-12 09:00, 02-09 09:00, 03-09 09:00
0 9 * * 5L: cron-schedule 01-02 09:00, 01-09 09:00, 01-16 09:00; croner 01-30 09:00, 02-27 09:00, 03-27 09:00
0 9 15W 1,2,3 *: cron-schedule 01-15 09:00, 02-15 09:00, 03-15 09:00; croner 01-15 09:00, 02-16 09:00, 03-16 09:00
30/20 * * * *: cron-schedule 01-01 00:30, 01-01 01:30, 01-01 02:30; croner refused
0 9 L * *: cron-schedule refused; croner 01-31 09:00, 02-28 09:00, 03-31 09:00
0 9 * * 1-5/2: cron-schedule 01-02 09:00, 01-05 09:00, 01-07 09:00; croner 01-02 09:00, 01-05 09:00, 01-07 09:00
END
