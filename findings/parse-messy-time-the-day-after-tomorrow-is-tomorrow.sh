#!/usr/bin/env bash
# parse-messy-time 2.1.0 (npm), "parse messy human date and time strings", asked on Wednesday, the 4th of November 2026, at 10:00.
# Behaviour: it always gives a date, out of those words that it knows; the others count for nothing. The day after tomorrow is tomorrow, 7 days before 1 December is the 1st of
# December, 1h30m ago is 2 minutes ago, half an hour from now is the midnight that is past. Numbers of any other meaning become years and hours: the 204 of a room is the year 204.
# A German date is the 30th of this month. What is no date at all is today at midnight, never an error or an invalid date.
# Seen:   the day after tomorrow: 2026-11-05 / 1h30m ago: 09:58 / 30.06.2026: 2026-11-30 / room 204 at 3: 0204-11-04 03:00 / no idea: 2026-11-04 00:00
# Expected by most: the 6th, 08:30, the 30th of June, three o'clock today, and an invalid date.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund parse-messy-time@2.1.0
cat > run.cjs <<'JS'
process.env.TZ = 'UTC';
const parse = require('parse-messy-time');
console.log('parse-messy-time', require('./node_modules/parse-messy-time/package.json').version);
const now = new Date(2026, 10, 4, 10);
for (const text of ['tomorrow at 8pm', 'in 90 minutes', 'the day after tomorrow', '7 days before 1 December', '1h30m ago', 'in half an hour', '30.06.2026', '10/11/12', 'room 204 at 3', 'next month', 'a fortnight ago', 'no idea']) {
  console.log(`${text}: ${parse(text, { now }).toISOString().slice(0, 16).replace('T', ' ')}`);
}
JS
node run.cjs | tee out
diff out - <<'END'
parse-messy-time 2.1.0
tomorrow at 8pm: 2026-11-05 20:00
in 90 minutes: 2026-11-04 11:30
the day after tomorrow: 2026-11-05 00:00
7 days before 1 December: 2026-12-01 00:00
1h30m ago: 2026-11-04 09:58
in half an hour: 2026-11-04 00:00
30.06.2026: 2026-11-30 00:00
10/11/12: 2026-11-04 10:00
room 204 at 3: 0204-11-04 03:00
next month: 2026-11-16 00:00
a fortnight ago: 2026-11-04 00:00
no idea: 2026-11-04 00:00
END
