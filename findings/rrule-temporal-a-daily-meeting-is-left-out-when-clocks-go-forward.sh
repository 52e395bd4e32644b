#!/usr/bin/env bash
# rrule-temporal 2.2.8 (npm), recurrence rules of RFC 5545.
# Behaviour: a daily rule at 02:30 has no occurrence on the day when the clock goes from 2 to 3, and with a COUNT it runs a day longer for it. The RFC says that such a time is read with
# the offset from before, so it is 03:30; that is also what Temporal does of itself. A rule that goes by the hour does not have the second of the two hours when clocks go back.
# Seen:   COUNT=3 from 29 March 2025 02:30 Europe/Berlin: 29, 31 March, 1 April / hourly on 26 October: 01:30, 02:30, 03:30, one hour of two in between
# Expected by most: 29, 30 (at 03:30) and 31 March, and four hours in a row.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund rrule-temporal@2.2.8 temporal-polyfill@1.0.8 2> /dev/null
cat > run.mjs <<'JS'
import { Temporal } from 'temporal-polyfill';
import { RRuleTemporal } from 'rrule-temporal';
const all = (start, rule) => new RRuleTemporal({ rruleString: `DTSTART;TZID=Europe/Berlin:${start}\nRRULE:${rule}` }).all().map((time) => time.toString().slice(5, 22).replace('T', ' ').replace(':00+', '+'));
console.log('daily 02:30:', all('20250329T023000', 'FREQ=DAILY;COUNT=3').join(', '));
console.log('weekly on Sunday 02:30:', all('20250323T023000', 'FREQ=WEEKLY;COUNT=3').join(', '));
console.log('daily 03:30:', all('20250329T033000', 'FREQ=DAILY;COUNT=3').join(', '));
console.log('hourly:', all('20251026T013000', 'FREQ=HOURLY;COUNT=4').join(', '));
const start = Temporal.ZonedDateTime.from('2025-03-29T02:30[Europe/Berlin]');
console.log('days added by Temporal:', [0, 1, 2].map((days) => start.add({ days }).toString().slice(5, 22).replace('T', ' ').replace(':00+', '+')).join(', '));
JS
echo "rrule-temporal $(node -p "JSON.parse(require('fs').readFileSync('node_modules/rrule-temporal/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
daily 02:30: 03-29 02:30+01, 03-31 02:30+02, 04-01 02:30+02
weekly on Sunday 02:30: 03-23 02:30+01, 04-06 02:30+02, 04-13 02:30+02
daily 03:30: 03-29 03:30+01, 03-30 03:30+02, 03-31 03:30+02
hourly: 10-26 01:30+02, 10-26 02:30+02, 10-26 03:30+01, 10-26 04:30+01
days added by Temporal: 03-29 02:30+01, 03-30 03:30+02, 03-31 02:30+02
END
