#!/usr/bin/env bash
# ts-ics 2.4.6 (npm), which reads and writes calendars in TypeScript, also under servers for agents: read (convertIcsCalendar) and written again (generateIcsCalendar); icalendar 7.3.2 (PyPI) reads both.
# Behaviour: a time without zone, as "9 in the morning wherever you are" is written, comes back with a Z and is another moment for all outside UTC. Extra dates of a series (RDATE) are gone. A category
# with a comma is two when read. A name with a comma is written without quotes, so another reader gets a list of two. A file within the event becomes an address. Nothing says so.
# Seen:   20260131T090000 -> ...Z / RDATE: gone / CN="Ng, Ann" -> CN=Ng, Ann, read as a list / ATTACH in base64 -> an address "aGk="
# Expected by most: a file that says the same.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund ts-ics@2.4.6 zod@4.6.7
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2
export TZ=UTC
cat > lines.txt <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
DTSTART:20260131T090000
SUMMARY:Tablets
RRULE:FREQ=WEEKLY;COUNT=2
RDATE:20260203T090000
CATEGORIES:health,home\, garden
ATTENDEE;CN="Ng, Ann":mailto:ann@example.org
ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGk=
END:VEVENT
END:VCALENDAR
ICS
sed 's/$/\r/' lines.txt > before.ics
cat > run.mjs <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import { convertIcsCalendar, generateIcsCalendar } from 'ts-ics';
const calendar = convertIcsCalendar(undefined, readFileSync('before.ics', 'utf8'));
console.log('categories: ' + JSON.stringify(calendar.events[0].categories));
writeFileSync('after.ics', generateIcsCalendar(calendar));
JS
cat > run.py <<'PY'
import icalendar

for name in ('before.ics', 'after.ics'):
    print(name)
    for part in icalendar.Calendar.from_ical(open(name, newline='').read()).walk():
        if part.name == 'VEVENT':
            for key in ('DTSTART', 'RDATE', 'ATTENDEE', 'ATTACH'):
                value = part.get(key)
                if value is not None:
                    print('  ', key, dict(value.params) if key.startswith('ATT') else '', part[key].to_ical().decode())
PY
echo "ts-ics $(node -p "JSON.parse(fs.readFileSync('node_modules/ts-ics/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
categories: ["health","home\\"," garden"]
before.ics
   DTSTART  20260131T090000
   RDATE  20260203T090000
   ATTENDEE {'CN': 'Ng, Ann'} mailto:ann@example.org
   ATTACH {'FMTTYPE': 'text/plain', 'ENCODING': 'BASE64', 'VALUE': 'BINARY'} aGk=
after.ics
   DTSTART  20260131T090000Z
   ATTENDEE {'CN': ['Ng', ' Ann']} MAILTO:ann@example.org
   ATTACH {} aGk=
END
