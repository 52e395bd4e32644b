#!/usr/bin/env bash
# node-ical 0.27.2 (npm) on Node 26.10.0 (npm package node), calendars as text, read with sync.parseICS, TZ=UTC and default settings.
# Behaviour: a calendar brings its own zone (VTIMEZONE), as the format asks. A time that names this zone is read as UTC, and only standard error says so
# (in another TZ of the process it is read in that). A time that names no zone at all, which means local time wherever one is, is read in that zone.
# So of two events at nine the wrong one is moved. RDATE, the list of further dates, is never expanded. In a text, an escaped
# backslash before an n becomes a line break.
# Seen:   zone of -05:00, 09:00 with TZID: 09:00Z / 09:00 without TZID: 14:00Z / two further dates: one event
# Expected by most: 14:00Z and 09:00Z, and three events.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export TZ=UTC
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts node-ical@0.27.2 2> /dev/null
cat > run.mjs <<'JS'
import ical from 'node-ical';
const zone = ['BEGIN:VTIMEZONE', 'TZID:Office', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0500', 'END:STANDARD', 'END:VTIMEZONE'];
const read = (lines, head = []) => {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'];
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//EN', ...head, ...event, 'END:VCALENDAR', ''];
  return Object.values(ical.sync.parseICS(all.join('\r\n'))).find((part) => part.type === 'VEVENT');
};
const named = read(['DTSTART;TZID=Office:20260325T090000', 'SUMMARY:a'], zone);
const local = read(['DTSTART:20260325T090000', 'SUMMARY:b'], zone);
const alone = read(['DTSTART:20260325T090000', 'SUMMARY:b']);
console.log('09:00 in the zone of the file:', named.start.toISOString());
console.log('09:00 without a zone, in the same file:', local.start.toISOString());
console.log('09:00 without a zone, in a file without zones:', alone.start.toISOString());
const span = { from: new Date('2026-03-01'), to: new Date('2026-06-01') };
for (const rule of [[], ['RRULE:FREQ=MONTHLY;COUNT=2']]) {
  const event = read(['DTSTART:20260305T090000Z', 'DTEND:20260305T100000Z', ...rule, 'RDATE:20260320T090000Z,20260409T090000Z', 'SUMMARY:c']);
  console.log(`${rule[0] ?? 'no rule'}, two further dates:`, ical.expandRecurringEvent(event, span).map((one) => one.start.toISOString().slice(0, 10)).join(' '));
}
const words = read(['DTSTART:20260305T090000Z', 'SUMMARY:C:\\\\new']);
console.log('summary:', JSON.stringify(words.summary));
JS
echo "node-ical $(node -p "JSON.parse(require('fs').readFileSync('node_modules/node-ical/package.json')).version")"
node run.mjs 2> said | tee out
cat said
diff out - <<'END'
09:00 in the zone of the file: 2026-03-25T09:00:00.000Z
09:00 without a zone, in the same file: 2026-03-25T14:00:00.000Z
09:00 without a zone, in a file without zones: 2026-03-25T09:00:00.000Z
no rule, two further dates: 2026-03-05
RRULE:FREQ=MONTHLY;COUNT=2, two further dates: 2026-03-05 2026-04-05
summary: "C:\\\new"
END
