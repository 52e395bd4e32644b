#!/usr/bin/env bash
# ical2html 3.0-1 with libical3 3.0.16-1+b1 (Debian 12); recurring-ical-events 3.8.0 with icalendar 6.3.1 (PyPI), asked for the same month.
# Behaviour: the days that EXDATE takes out of a series are on the page all the same. A meeting of a series that was moved (RECURRENCE-ID) stands on its new
# day and on its old one. What is cancelled stands there like the rest. What began before the first day of the page and ends on it is not there at all.
# Seen:   Weekly on 7, 14 and 21 and "Weekly moved" on 22, where 14 is taken out and 21 moved to 22; nothing on 1
# Expected by most: 7 and 22, and the night of the new year on 1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq ical2html=3.0-1 libical3=3.0.16-1+b1 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PATH=$dir/unpacked/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'libical.so.3' | head -n 1)") TZ=UTC
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check recurring-ical-events==3.8.0 icalendar==6.3.1
event() { printf '%s\r\n' BEGIN:VEVENT DTSTAMP:20260101T000000Z "$@" END:VEVENT; }
(
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//x//y//EN
  event UID:1 DTSTART:20260107T090000Z DTEND:20260107T100000Z RRULE:FREQ=WEEKLY\;COUNT=3 EXDATE:20260114T090000Z SUMMARY:Weekly
  event UID:1 RECURRENCE-ID:20260121T090000Z DTSTART:20260122T110000Z DTEND:20260122T120000Z 'SUMMARY:Weekly moved'
  event UID:2 DTSTART:20260109T090000Z DTEND:20260109T100000Z STATUS:CANCELLED SUMMARY:Cancelled
  event UID:3 DTSTART:20251231T200000Z DTEND:20260101T030000Z 'SUMMARY:New year'
  printf '%s\r\n' END:VCALENDAR
) > a.ics
cat > other.py <<'PY'
import icalendar
import recurring_ical_events

found = recurring_ical_events.of(icalendar.Calendar.from_ical(open('a.ics', 'rb').read())).between((2026, 1, 1), (2026, 2, 1))
for one in sorted(found, key=lambda one: one['DTSTART'].dt):
    print('python:', one['DTSTART'].dt.date(), one['SUMMARY'], one.get('STATUS', ''))
PY
echo "ical2html $(dpkg-deb -f ical2html_*.deb Version)"
(
  ical2html 20260101 P31D a.ics | tr '\n' ' ' | grep -o 'dtstart" title="[0-9]*\|summary">[^<]*' | sed 's/.*["=>]//' | paste -d ' ' - -
  env/bin/python other.py
) | tee out
diff out - <<'END'
20260107 Weekly
20260109 Cancelled
20260114 Weekly
20260121 Weekly
20260122 Weekly moved
python: 2025-12-31 New year 
python: 2026-01-07 Weekly 
python: 2026-01-09 Cancelled CANCELLED
python: 2026-01-22 Weekly moved 
END
