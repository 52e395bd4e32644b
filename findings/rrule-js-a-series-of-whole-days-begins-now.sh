#!/usr/bin/env bash
# rrule 2.8.1 (npm), the most used reader of repeating dates (RRULE) in JavaScript: rrulestr as it is, toText, and python-dateutil 4.0.0 (PyPI) on the same text.
# Behaviour: "DTSTART;VALUE=DATE:", as every calendar writes events of whole days, is passed over, and the series begins at the present moment, with the time of day of the call; one with
# an end in the past is empty. With a zone on DTSTART, an excluded date in UTC excludes nothing, and an end in UTC is read as local time, so that the last meeting is missing in
# summer. In words the position is left out ("every month on weekdays" for the last weekday of the month) and so are minutes, though isFullyConvertibleToText() is true.
# Seen:   DTSTART;VALUE=DATE:20200101, two days: begins today / EXDATE in UTC: 4 of 4 left / UNTIL=...T070000Z in Berlin: 4 of 5
# Expected by most: 1 and 2 January 2020; 3; 5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund rrule@2.8.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-dateutil==4.0.0
export TZ=UTC
cat > series.json <<'JSON'
[
  "DTSTART;VALUE=DATE:20200101\nRRULE:FREQ=DAILY;COUNT=2",
  "DTSTART;VALUE=DATE:20200101\nRRULE:FREQ=DAILY;UNTIL=20200104",
  "DTSTART;TZID=Europe/Berlin:20260101T100000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20260102T090000Z",
  "DTSTART;TZID=Europe/Berlin:20260301T090000\nRRULE:FREQ=WEEKLY;UNTIL=20260329T070000Z"
]
JSON
cat > run.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { rrulestr } = require('rrule');
const now = Date.now();
for (const text of JSON.parse(readFileSync('series.json', 'utf8'))) {
  const days = rrulestr(text, { forceset: true }).all();
  const shown = days.length && Math.abs(days[0] - now) < 60000 ? ['begins now'] : days.map((day) => day.toISOString().slice(0, 16));
  console.log(text.replaceAll('\n', ' ') + ' -> ' + days.length + ': ' + shown.join(' '));
}
for (const rule of ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2', 'FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30']) {
  const parsed = rrulestr('RRULE:' + rule);
  console.log(`${rule} -> "${parsed.toText()}", said to be complete: ${parsed.isFullyConvertibleToText()}`);
}
JS
cat > run.py <<'PY'
import datetime
import json
from dateutil.rrule import rrulestr

for text in json.load(open('series.json')):
    days = [day.astimezone(datetime.timezone.utc) if day.tzinfo else day for day in rrulestr(text, forceset=True)]
    print('dateutil:', len(days), *(day.strftime('%Y-%m-%dT%H:%M') for day in days))
PY
echo "rrule $(node -p "require('./node_modules/rrule/package.json').version")"
{ node run.cjs; env/bin/python run.py; } | tee out
diff out - <<'END'
DTSTART;VALUE=DATE:20200101 RRULE:FREQ=DAILY;COUNT=2 -> 2: begins now
DTSTART;VALUE=DATE:20200101 RRULE:FREQ=DAILY;UNTIL=20200104 -> 0: 
DTSTART;TZID=Europe/Berlin:20260101T100000 RRULE:FREQ=DAILY;COUNT=4 EXDATE:20260102T090000Z -> 4: 2026-01-01T09:00 2026-01-02T09:00 2026-01-03T09:00 2026-01-04T09:00
DTSTART;TZID=Europe/Berlin:20260301T090000 RRULE:FREQ=WEEKLY;UNTIL=20260329T070000Z -> 4: 2026-03-01T08:00 2026-03-08T08:00 2026-03-15T08:00 2026-03-22T08:00
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 -> "every month on weekdays", said to be complete: true
FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2 -> "every month on Monday", said to be complete: true
FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30 -> "every day at 9 and 17", said to be complete: true
dateutil: 2 2020-01-01T00:00 2020-01-02T00:00
dateutil: 4 2020-01-01T00:00 2020-01-02T00:00 2020-01-03T00:00 2020-01-04T00:00
dateutil: 3 2026-01-01T09:00 2026-01-03T09:00 2026-01-04T09:00
dateutil: 5 2026-03-01T08:00 2026-03-08T08:00 2026-03-15T08:00 2026-03-22T08:00 2026-03-29T07:00
END
