#!/usr/bin/env bash
# recurrent 0.4.1 (PyPI), which turns English into dates and recurrence rules (RRULE), RecurringEvent().parse with the day set to 5 January 2026.
# Behaviour: words that it does not know are left out, and the rest becomes a rule without any sign of it. "every last friday" is every Friday, "every day at
# noon" has no time, "daily for 3 days" has no end, "every 2nd tuesday" is each second week. "every day except sunday" takes out one single date, the next
# Sunday at midnight, and "every day at 9 except sunday" takes out a moment at which nothing happens.
# Seen:   every last friday: BYDAY=FR weekly / daily for 3 days: daily / every day except sunday: daily, EXDATE:20260111T000000
# Expected by most: a rule that says the same as the words, or None as for "twice a week".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check recurrent==0.4.1
cat > run.py <<'PY'
import datetime
import importlib.metadata
import recurrent

print('recurrent', importlib.metadata.version('recurrent'))
for words in ['every friday', 'last friday of every month', 'every last friday', 'every day at 9am', 'every day at noon', 'daily for 3 days',
              'every day except sunday', 'every day at 9am except sunday', 'every 2nd tuesday', 'twice a week']:
    event = recurrent.RecurringEvent(now_date=datetime.datetime(2026, 1, 5))
    print(f'{words}: {str(event.parse(words)).replace(chr(10), " ")}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
recurrent 0.4.1
every friday: RRULE:BYDAY=FR;INTERVAL=1;FREQ=WEEKLY
last friday of every month: RRULE:BYDAY=-1FR;INTERVAL=1;FREQ=MONTHLY
every last friday: RRULE:BYDAY=FR;INTERVAL=1;FREQ=WEEKLY
every day at 9am: RRULE:BYHOUR=9;BYMINUTE=0;INTERVAL=1;FREQ=DAILY
every day at noon: RRULE:INTERVAL=1;FREQ=DAILY
daily for 3 days: RRULE:INTERVAL=1;FREQ=DAILY
every day except sunday: RRULE:INTERVAL=1;FREQ=DAILY EXDATE:20260111T000000
every day at 9am except sunday: RRULE:BYHOUR=9;BYMINUTE=0;INTERVAL=1;FREQ=DAILY EXDATE:20260111T000000
every 2nd tuesday: RRULE:BYDAY=TU;INTERVAL=2;FREQ=WEEKLY
twice a week: None
END
