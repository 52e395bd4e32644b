#!/usr/bin/env bash
# dateparser 1.5.0 (PyPI), dates in any notation and language, default settings; the day is set to 15 January 2026.
# Behaviour: nearly any short text is a date in one of its languages. A week of ISO 8601 is a month: 2024-W05 is in May. "no" is now, "n/a" today, "ok" a day in June, a version v2 the second of
# the month, the commit 7e2 the seventh of February and 5k a day in May; 3.11 is eleven past three, while 12.5 is the fifth of December. 2024-13-01 is the 13th of January. In a text and with English alone,
# search_dates finds the word "we" as a Wednesday, and a date in "3.11 and 3.12".
# Seen:   2024-W05: 2024-05-15 / no: now / v2: 2026-01-02 / 7e2: 2026-02-07 / we met: Wednesday / 3.11 and 3.12: '11 and 3', 2026-11-03
# Most would guess: nothing for what is no date, and the last days of January for 2024-W05.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dateparser==1.5.0
cat > run.py <<'PY'
import datetime
import importlib.metadata
import sys
import warnings
import dateparser
from dateparser.search import search_dates

warnings.simplefilter('ignore')
print('dateparser', importlib.metadata.version('dateparser'), file=sys.stderr)
settings = {'RELATIVE_BASE': datetime.datetime(2026, 1, 15, 10, 0)}
for text in ['2024-01-05', '2024-W05', '2024-13-01', 'no', 'yes', 'n/a', 'ok', 'v2', '7e2', '5k', '3.11', '12.5', '1 M']:
    print(f'{text}: {dateparser.parse(text, settings=settings)}')
for text in ['we met', 'I think we can', 'release 3.11 and 3.12', 'section 5.2 of 2024', 'no date here']:
    print(f'{text}: {[(found, str(date)) for found, date in search_dates(text, languages=["en"], settings=settings) or []]}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
2024-01-05: 2024-01-05 00:00:00
2024-W05: 2024-05-15 00:00:00
2024-13-01: 2024-01-13 00:00:00
no: 2026-01-15 10:00:00
yes: None
n/a: 2026-01-15 00:00:00
ok: 2026-06-15 00:00:00
v2: 2026-01-02 00:00:00
7e2: 2026-02-07 00:00:00
5k: 2026-05-15 00:00:00
3.11: 2026-01-15 03:11:00
12.5: 2026-12-05 00:00:00
1 M: 2026-01-15 09:59:00
we met: [('we', '2026-01-14 00:00:00')]
I think we can: [('we', '2026-01-14 00:00:00')]
release 3.11 and 3.12: [('11 and 3', '2026-11-03 00:00:00')]
section 5.2 of 2024: [('2 of 2024', '2024-02-15 00:00:00')]
no date here: []
END
