#!/usr/bin/env bash
# moment-recur 1.0.7 (npm) with moment 2.30.1 (npm); moment's own add() of months beside it.
# Behaviour: a series of months that begins on the last day of a short month has more dates than months. Whatever date gives the start when whole months are
# taken off it counts, and moment shortens these. From 28 February on, each March has four dates (28, 29, 30, 31) and each April three. From 30 November,
# "every 3 months" has 30 and 31 May. A yearly series from 28 February is twice in a leap year. matches() says the same.
# Seen:   2026-02-28 every month: 28, 29, 30, 31 March, 28, 29, 30 April ... / 2026-11-30 every 3 months: 28 February, 30 and 31 May, 30 and 31 August
# Expected by most: one date a month, 28 March, 28 April; 28 February, 30 May, 30 August.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts moment-recur@1.0.7 moment@2.30.1 2> /dev/null
cat > run.cjs <<'JS'
const moment = require('moment');
require('moment-recur');
const ask = (start, step, unit) => {
  const recur = moment(start).recur().every(step, unit).next(7, 'YYYY-MM-DD');
  const added = [1, 2, 3, 4, 5].map((times) => moment(start).add(step * times, unit).format('YYYY-MM-DD'));
  console.log(`${start} every ${step} ${unit}\n    moment-recur: ${recur.join(' ')}\n    add():        ${added.join(' ')}`);
};
ask('2026-02-28', 1, 'months');
ask('2026-11-30', 3, 'months');
ask('2026-06-30', 6, 'months');
ask('2026-01-15', 1, 'months');
ask('2026-02-28', 1, 'years');
const series = moment('2026-02-28').recur('2026-12-31').every(1).months();
console.log(`28 February to the end of 2026, every month: ${series.all('L').length} dates; 2026-03-30 is one of them: ${series.matches('2026-03-30')}`);
JS
for one in moment-recur moment; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
TZ=UTC node run.cjs | tee out
diff out - <<'END'
2026-02-28 every 1 months
    moment-recur: 2026-03-28 2026-03-29 2026-03-30 2026-03-31 2026-04-28 2026-04-29 2026-04-30
    add():        2026-03-28 2026-04-28 2026-05-28 2026-06-28 2026-07-28
2026-11-30 every 3 months
    moment-recur: 2027-02-28 2027-05-30 2027-05-31 2027-08-30 2027-08-31 2027-11-30 2028-02-29
    add():        2027-02-28 2027-05-30 2027-08-30 2027-11-30 2028-02-29
2026-06-30 every 6 months
    moment-recur: 2026-12-30 2026-12-31 2027-06-30 2027-12-30 2027-12-31 2028-06-30 2028-12-30
    add():        2026-12-30 2027-06-30 2027-12-30 2028-06-30 2028-12-30
2026-01-15 every 1 months
    moment-recur: 2026-02-15 2026-03-15 2026-04-15 2026-05-15 2026-06-15 2026-07-15 2026-08-15
    add():        2026-02-15 2026-03-15 2026-04-15 2026-05-15 2026-06-15
2026-02-28 every 1 years
    moment-recur: 2027-02-28 2028-02-28 2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-28
    add():        2027-02-28 2028-02-28 2029-02-28 2030-02-28 2031-02-28
28 February to the end of 2026, every month: 37 dates; 2026-03-30 is one of them: true
END
