#!/usr/bin/env bash
# ical-expander 3.2.0 (npm), its own ical.js 1.5.0, one calendar with three events, default settings.
# Behaviour: a changed date (RECURRENCE-ID) is applied to every series of the file and not only to the event with the same UID.
# When a daily stand-up is moved "from now on" (RANGE=THISANDFUTURE), the weekly board meeting also gets the title of the stand-up and an hour
# that is moved as well (10:00 becomes 14:00). A single changed date does it too when another series has a date at that very time.
# Seen:   from 16 March on every board meeting is "Stand-up after lunch" at 14:00
# Expected by most: board meetings at 10:00, as in a file without the stand-up.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund ical-expander@3.2.0
cat > read.js <<'JS'
const Expander = require('ical-expander');
console.log('ical-expander', require('ical-expander/package.json').version);
const event = (...lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const board = event('UID:board', 'DTSTART:20260302T100000Z', 'DTEND:20260302T110000Z', 'RRULE:FREQ=WEEKLY;COUNT=5', 'SUMMARY:Board meeting');
const daily = event('UID:daily', 'DTSTART:20260303T080000Z', 'DTEND:20260303T081500Z', 'RRULE:FREQ=DAILY;COUNT=20', 'SUMMARY:Stand-up');
const later = event('UID:daily', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260310T080000Z', 'DTSTART:20260310T120000Z', 'DTEND:20260310T121500Z', 'SUMMARY:Stand-up after lunch');
const same = event('UID:other', 'RECURRENCE-ID:20260316T100000Z', 'DTSTART:20260316T150000Z', 'DTEND:20260316T160000Z', 'SUMMARY:Somebody else');
function mondays(...events) {
  const ics = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...events.flat(), 'END:VCALENDAR'].join('\r\n');
  const found = new Expander({ ics }).between(new Date('2026-03-01T00:00Z'), new Date('2026-04-01T00:00Z'));
  return [...found.events.map(e => [e.startDate, e.summary]), ...found.occurrences.map(o => [o.startDate, o.item.summary])]
    .map(([date, title]) => date.toString() + ' ' + title)
    .filter(line => ['02', '09', '16', '23', '30'].includes(line.slice(8, 10)) && !/T(08|12)/.test(line)).sort();
}
console.log('board meeting alone');
console.log(mondays(board).join('\n'));
console.log('with the stand-up, moved from 10 March on');
console.log(mondays(board, daily, later).join('\n'));
console.log('with a changed date of another event at the same time');
console.log(mondays(board, same).join('\n'));
JS
node read.js | tee out
diff out - <<'END'
ical-expander 3.2.0
board meeting alone
2026-03-02T10:00:00Z Board meeting
2026-03-09T10:00:00Z Board meeting
2026-03-16T10:00:00Z Board meeting
2026-03-23T10:00:00Z Board meeting
2026-03-30T10:00:00Z Board meeting
with the stand-up, moved from 10 March on
2026-03-02T10:00:00Z Board meeting
2026-03-09T10:00:00Z Board meeting
2026-03-16T14:00:00Z Stand-up after lunch
2026-03-23T14:00:00Z Stand-up after lunch
2026-03-30T14:00:00Z Stand-up after lunch
with a changed date of another event at the same time
2026-03-02T10:00:00Z Board meeting
2026-03-09T10:00:00Z Board meeting
2026-03-16T15:00:00Z Somebody else
2026-03-23T10:00:00Z Board meeting
2026-03-30T10:00:00Z Board meeting
END
