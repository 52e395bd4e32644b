#!/usr/bin/env bash
# icalendar 7.3.2 (PyPI), calendars of RFC 5545: a file is read with Calendar.from_ical and written with to_ical, with nothing changed.
# Behaviour: RESOURCES, a list with commas like CATEGORIES, is read as one text, and its commas are escaped when it is written: two things that are booked are
# one with a comma in its name. REQUEST-STATUS, whose parts are divided by semicolons, gets them escaped, so that code and words are one. CATEGORIES stays a list.
# Nothing says so.
# Seen:   RESOURCES:Room 5,Projector becomes RESOURCES:Room 5\,Projector / REQUEST-STATUS:2.0;Success becomes REQUEST-STATUS:2.0\;Success
# Expected by most: the values that were read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check icalendar==7.3.2
cat > run.py <<'PY'
import importlib.metadata
from icalendar import Calendar

print('icalendar', importlib.metadata.version('icalendar'))
lines = [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T090000Z',
    'SUMMARY:Talk\\, with a projector', 'CATEGORIES:Talk,Public', 'RESOURCES:Room 5,Projector', 'REQUEST-STATUS:2.0;Success',
    'GEO:52.50;13.40', 'X-NOTE:a\\,b', 'END:VEVENT', 'END:VCALENDAR', '',
]
calendar = Calendar.from_ical('\r\n'.join(lines))
event = calendar.events[0]
print('CATEGORIES:', [str(name) for name in event['CATEGORIES'].cats])
print('RESOURCES:', repr(str(event['RESOURCES'])))
written = calendar.to_ical().decode()
print('other than what was read:')
for line in written.splitlines():
    if line not in lines:
        print(' ', line)
PY
env/bin/python run.py | tee out
diff out - <<'END'
icalendar 7.3.2
CATEGORIES: ['Talk', 'Public']
RESOURCES: 'Room 5,Projector'
other than what was read:
  GEO:52.5;13.4
  REQUEST-STATUS:2.0\;Success
  RESOURCES:Room 5\,Projector
END
