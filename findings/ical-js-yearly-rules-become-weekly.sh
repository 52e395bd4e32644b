#!/usr/bin/env bash
# ical.js 2.2.1 (npm), calendars in JavaScript, ICAL.Recur, which lists the days of a repeating event; python-dateutil 2.9.0.post0 (PyPI) lists the same rules beside it.
# Behaviour: parts of a rule are passed over without an error, and the event comes far too often or on other days. The 20th Monday of each year, and the Monday of week 20, are every Monday of the year.
# "Last of Saturday and Sunday" of a week is both days. The 29th of February is the 1st of March in years without one, though such days do not exist by the standard. Of two hours a
# day with a day of the week in a month, the second is dropped. Ordinary weekly and monthly rules are right.
# Seen:   FREQ=YEARLY;BYDAY=20MO: 5, 12, 19 January, dateutil 18 May 2026, 17 May 2027 / FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29: 1 March 2026, dateutil 29 February 2028
# Most would guess: the days that the standard gives, or an error where a part is not supported.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund ical.js@2.2.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-dateutil==2.9.0.post0
cat > rules <<'END'
FREQ=YEARLY;BYDAY=20MO;COUNT=3
FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3
FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3
FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1;COUNT=3
FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO;BYHOUR=8,9;COUNT=3
FREQ=MONTHLY;BYDAY=-1FR;COUNT=3
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=3
END
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import ICAL from 'ical.js';
for (const rule of readFileSync('rules', 'utf8').trim().split('\n')) {
  const days = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString('2026-01-01T09:00:00'));
  console.log(`ical.js  ${rule}: ${[1, 2, 3].map(() => days.next().toString().slice(0, 16)).join(' ')}`);
}
JS
cat > run.py <<'PY'
from datetime import datetime

from dateutil.rrule import rrulestr

for rule in open('rules').read().split():
    print(f'dateutil {rule}:', *(day.strftime('%Y-%m-%dT%H:%M') for day in rrulestr(rule, dtstart=datetime(2026, 1, 1, 9))))
PY
echo "ical.js $(node -p "JSON.parse(require('fs').readFileSync('node_modules/ical.js/package.json')).version"), python-dateutil $(env/bin/python -c "import importlib.metadata as m; print(m.version('python-dateutil'))")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
ical.js  FREQ=YEARLY;BYDAY=20MO;COUNT=3: 2026-01-05T09:00 2026-01-12T09:00 2026-01-19T09:00
ical.js  FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3: 2026-01-05T09:00 2026-01-12T09:00 2026-01-19T09:00
ical.js  FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3: 2026-03-01T09:00 2027-03-01T09:00 2028-02-29T09:00
ical.js  FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1;COUNT=3: 2026-01-03T09:00 2026-01-04T09:00 2026-01-10T09:00
ical.js  FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO;BYHOUR=8,9;COUNT=3: 2026-01-04T08:00 2026-01-05T08:00 2026-01-11T08:00
ical.js  FREQ=MONTHLY;BYDAY=-1FR;COUNT=3: 2026-01-30T09:00 2026-02-27T09:00 2026-03-27T09:00
ical.js  FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=3: 2026-01-04T09:00 2026-01-13T09:00 2026-01-18T09:00
dateutil FREQ=YEARLY;BYDAY=20MO;COUNT=3: 2026-05-18T09:00 2027-05-17T09:00 2028-05-15T09:00
dateutil FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3: 2026-05-11T09:00 2027-05-17T09:00 2028-05-15T09:00
dateutil FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3: 2028-02-29T09:00 2032-02-29T09:00 2036-02-29T09:00
dateutil FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1;COUNT=3: 2026-01-04T09:00 2026-01-11T09:00 2026-01-18T09:00
dateutil FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO;BYHOUR=8,9;COUNT=3: 2026-01-04T08:00 2026-01-04T09:00 2026-01-05T08:00
dateutil FREQ=MONTHLY;BYDAY=-1FR;COUNT=3: 2026-01-30T09:00 2026-02-27T09:00 2026-03-27T09:00
dateutil FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=3: 2026-01-04T09:00 2026-01-13T09:00 2026-01-18T09:00
END
