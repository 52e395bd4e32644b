#!/usr/bin/env bash
# jicson 1.0.2 (PyPI), "easy ics file parser": fromText gives the calendar as JSON.
# Behaviour: of lines with one name the last is kept: of three guests one, of two dates that are left out one. What a long line goes on with on the next one is dropped, and if that part has a
# colon it becomes a field with blanks before its name. A name with a colon in quotes is cut at that colon. Commas and line breaks of texts keep their backslashes.
# Seen:   3 ATTENDEE: "mailto:c@x.org" / a folded DESCRIPTION: "The plan for", and "  the day" is a field / LOCATION;ALTREP="http://...": the name is LOCATION;ALTREP="http
# Expected by most: a list of guests, and the whole text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jicson==1.0.2
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import jicson
print('jicson', importlib.metadata.version('jicson'), file=sys.stderr)
lines = '''BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:Plan\\, part 1
ATTENDEE:mailto:a@x.org
ATTENDEE:mailto:b@x.org
ATTENDEE:mailto:c@x.org
EXDATE:20260112T100000Z
EXDATE:20260119T100000Z
DESCRIPTION:The plan for
  the day: bring the
  long ladder
LOCATION;ALTREP="http://x.org/1":Room 5
ORGANIZER;CN="Dr. No: Inc":mailto:o@x.org
BEGIN:VALARM
TRIGGER:-PT5M
END:VALARM
BEGIN:VALARM
TRIGGER:-PT10M
END:VALARM
END:VEVENT
END:VCALENDAR
'''
event = jicson.fromText(lines)['VCALENDAR'][0]['VEVENT'][0]
for name, value in event.items():
    print(f'{json.dumps(name)}: {json.dumps(value)}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
"SUMMARY": "Plan\\, part 1"
"ATTENDEE": "mailto:c@x.org"
"EXDATE": "20260119T100000Z"
"DESCRIPTION": "The plan for"
"  the day": " bring the"
"LOCATION;ALTREP=\"http": "//x.org/1\":Room 5"
"ORGANIZER;CN=\"Dr. No": " Inc\":mailto:o@x.org"
"VALARM": [{"TRIGGER": "-PT5M"}, {"TRIGGER": "-PT10M"}]
END
