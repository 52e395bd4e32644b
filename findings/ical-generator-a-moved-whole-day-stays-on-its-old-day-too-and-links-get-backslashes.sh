#!/usr/bin/env bash
# ical-generator 11.1.2 (npm) writes calendars; ical.js 2.2.1 reads them.
# Behaviour: in a series of whole days the id of a moved day is written with a time (RECURRENCE-ID:20260106T000000Z) though the series has dates, which RFC 5545 does not allow. So ical.js
# shows the old day and never the moved one. A comma or a semicolon in a link gets a backslash, as if the link were a text, and ical.js gives the link with it. An end before the start is
# exchanged with it: a meeting from 10 to 9 takes place from 9 to 10.
# Seen:   duty on 5, 6, 7 January, the one moved to 9 January not at all / map?at=52.5\,13.4 / 09:00 to 10:00
# Expected by most: 5, 9, 7 January; the link as given; an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts ical-generator@11.1.2 ical.js@2.2.1 2> /dev/null
cat > run.mjs <<'JS'
import ical from 'ical-generator';
import ICAL from 'ical.js';

const stamp = new Date('2026-01-01T00:00:00Z');
const day = (text) => new Date(`${text}T00:00:00Z`);
function show(name, text) {
  console.log(name);
  for (const line of text.split('\r\n')) if (/^(DTSTART|DTEND|RRULE|RECURRENCE|URL|ATTACH)/.test(line)) console.log('    ' + line);
  const [series, ...moved] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  const event = new ICAL.Event(series, { exceptions: moved });
  const steps = event.iterator();
  for (let one; (one = steps.next());) {
    const { item, startDate, endDate } = event.getOccurrenceDetails(one);
    console.log(`    ical.js: ${startDate} to ${endDate} ${item.summary} ${series.getFirstPropertyValue('url') ?? ''}`.trimEnd());
  }
}
const one = ical();
one.createEvent({ id: 'a', stamp, start: day('2026-01-05'), allDay: true, summary: 'duty', repeating: { freq: 'DAILY', count: 3 } });
one.createEvent({ id: 'a', stamp, start: day('2026-01-09'), allDay: true, summary: 'moved duty', recurrenceId: day('2026-01-06') });
show('whole days', one.toString());
show('the same, the id as a date', one.toString().replace('RECURRENCE-ID:20260106T000000Z', 'RECURRENCE-ID;VALUE=DATE:20260106'));
const two = ical();
two.createEvent({ id: 'b', stamp, start: new Date('2026-03-01T10:00:00Z'), end: new Date('2026-03-01T09:00:00Z'), summary: 'meeting', url: 'https://example.org/map?at=52.5,13.4;zoom=3' });
show('link and end', two.toString());
JS
echo "ical-generator $(node -p "JSON.parse(require('fs').readFileSync('node_modules/ical-generator/package.json')).version")"
TZ=UTC node run.mjs | tee out
diff out - <<'END'
whole days
    DTSTART;VALUE=DATE:20260105
    RRULE:FREQ=DAILY;COUNT=3
    DTSTART;VALUE=DATE:20260109
    RECURRENCE-ID:20260106T000000Z
    ical.js: 2026-01-05 to 2026-01-06 duty
    ical.js: 2026-01-06 to 2026-01-07 duty
    ical.js: 2026-01-07 to 2026-01-08 duty
the same, the id as a date
    DTSTART;VALUE=DATE:20260105
    RRULE:FREQ=DAILY;COUNT=3
    DTSTART;VALUE=DATE:20260109
    RECURRENCE-ID;VALUE=DATE:20260106
    ical.js: 2026-01-05 to 2026-01-06 duty
    ical.js: 2026-01-09 to 2026-01-10 moved duty
    ical.js: 2026-01-07 to 2026-01-08 duty
link and end
    DTSTART:20260301T090000Z
    DTEND:20260301T100000Z
    URL;VALUE=URI:https://example.org/map?at=52.5\,13.4\;zoom=3
    ical.js: 2026-03-01T09:00:00Z to 2026-03-01T10:00:00Z meeting https://example.org/map?at=52.5\,13.4\;zoom=3
END
