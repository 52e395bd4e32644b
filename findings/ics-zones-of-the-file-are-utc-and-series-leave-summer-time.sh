#!/usr/bin/env bash
# ics 0.7.3 (PyPI), calendars as text, read with Calendar(text) and written with serialize().
# Behaviour: a time in a zone that the calendar itself defines (VTIMEZONE) is read as UTC, without a word. When a calendar is written again, each start
# is UTC, and its rule and its exceptions stay as they were: a meeting at nine each Monday in Berlin comes at ten once summer time has begun, and the
# Monday that was called off is no longer called off by the start of that day. A task that is due on a day is due at midnight UTC. "C:\new" is cut by
# a line break. What it writes says CALSCALE:GEORGIAN, which is no calendar, so that another reader (recurring-ical-events) refuses all of it.
# Seen:   DTSTART;TZID=Office (-05:00) 09:00: 09:00+00:00 / DTSTART;TZID=Europe/Berlin:20260316T090000 with a rule: DTSTART:20260316T080000Z with it
# Expected by most: 09:00-05:00, and a written calendar with the same times.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ics==0.7.3 arrow==1.4.0 icalendar==7.3.2 recurring-ical-events==3.8.2
cat > run.py <<'PY'
import datetime
import importlib.metadata
import sys
import warnings
import icalendar
import ics
import recurring_ical_events
warnings.simplefilter('ignore')

print('ics', importlib.metadata.version('ics'), file=sys.stderr)
head = 'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\n'
zone = '''BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:-0500
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
'''
own = head + zone + r'''BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
DTSTART;TZID=Office:20260325T090000
DTEND;TZID=Office:20260325T100000
SUMMARY:put it into C:\\new
END:VEVENT
END:VCALENDAR
'''
series = head + '''BEGIN:VEVENT
UID:2
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Berlin:20260316T090000
DTEND;TZID=Europe/Berlin:20260316T093000
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE;TZID=Europe/Berlin:20260330T090000
SUMMARY:weekly
END:VEVENT
BEGIN:VTODO
UID:3
DTSTAMP:20260101T000000Z
DUE;VALUE=DATE:20260401
SUMMARY:task
END:VTODO
END:VCALENDAR
'''
event = next(iter(ics.Calendar(own).events))
print('own zone:', event.begin.isoformat(), repr(event.name))


def times(text):
    found = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between((2026, 3, 1), (2026, 5, 1))
    utc = [one['DTSTART'].dt.astimezone(datetime.timezone.utc) for one in found]
    return ' '.join(f'{when:%d.%m. %H:%M}' for when in utc)


written = ics.Calendar(series).serialize().replace('\r', '')
print('series before, in UTC:', times(series))
try:
    times(written)
except Exception as error:
    print('series written:', error)
print('series written, once CALSCALE is put right, in UTC:', times(written.replace('GEORGIAN', 'GREGORIAN')))
print(*(line for line in written.split('\n') if line.startswith(('CALSCALE', 'DTSTART', 'EXDATE', 'RRULE', 'DUE'))), sep='\n')
PY
env/bin/python run.py | tee out
diff out - <<'END'
own zone: 2026-03-25T09:00:00+00:00 'put it into C:\\\new'
series before, in UTC: 16.03. 08:00 23.03. 08:00 06.04. 07:00
series written: Only Gregorian calendars are supported.
series written, once CALSCALE is put right, in UTC: 16.03. 08:00 23.03. 08:00 30.03. 08:00 06.04. 08:00
CALSCALE:GEORGIAN
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE;TZID=Europe/Berlin:20260330T090000
DTSTART:20260316T080000Z
DUE:20260401T000000Z
END
