#!/usr/bin/env bash
# aniso8601 10.0.1 and isochron 0.1.0 (PyPI), with python-dateutil 2.9.0.post0 asked the same.
# Behaviour: ISO 8601 writes the end of a day as 24:00. Both read 24:00 as 00:00 of the same day, so a time is a whole day too early, and nothing says so.
# An interval of 20:00/24:00 runs backwards from 20:00 to the midnight before. What begins at 24:00 begins a day too early.
# Seen:   2026-12-31T24:00:00Z is 2026-12-31 00:00 / 20:00/24:00 lasts minus 20 hours
# Expected by most: 2027-01-01 00:00, as dateutil reads it, and four hours.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check aniso8601==10.0.1 isochron==0.1.0 python-dateutil==2.9.0.post0
cat > run.py <<'PY'
import importlib.metadata
import sys
import aniso8601
import isochron
from dateutil.parser import isoparse

for one in ['aniso8601', 'isochron', 'python-dateutil']:
    print(one, importlib.metadata.version(one), file=sys.stderr)
for text in ['2026-12-31T24:00:00Z', '2026-12-01T24:00:00']:
    print(text)
    for name, read in [('aniso8601', aniso8601.parse_datetime), ('isochron', isochron.parse_datetime), ('dateutil', isoparse)]:
        print(f'    {name}: {read(text):%Y-%m-%d %H:%M}')
for text in ['2026-12-01T20:00:00/2026-12-01T24:00:00', '2026-12-01T20:00/24:00']:
    start, end = aniso8601.parse_interval(text)
    print(f'{text}: {(end - start).total_seconds() / 3600:g} hours')
start, end = aniso8601.parse_interval('2026-12-01T24:00:00/PT1H')
print(f'2026-12-01T24:00:00/PT1H: {start} to {end}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
2026-12-31T24:00:00Z
    aniso8601: 2026-12-31 00:00
    isochron: 2026-12-31 00:00
    dateutil: 2027-01-01 00:00
2026-12-01T24:00:00
    aniso8601: 2026-12-01 00:00
    isochron: 2026-12-01 00:00
    dateutil: 2026-12-02 00:00
2026-12-01T20:00:00/2026-12-01T24:00:00: -20 hours
2026-12-01T20:00/24:00: -20 hours
2026-12-01T24:00:00/PT1H: 2026-12-01 00:00:00 to 2026-12-01 01:00:00
END
