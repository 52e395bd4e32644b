#!/usr/bin/env bash
# pyarrow 26.0.1 (PyPI), read_json of records one a line, the reader under several loaders of data sets; against its own read_csv.
# Behaviour: a text in quotes that has the form of a time becomes a timestamp if all texts of the column have it. The offset is calculated away and
# the column has no zone, so that a time with +02:00 is another hour, and one without an offset beside it is taken for UTC without a word. One time
# with a fraction, or one empty text, leaves the whole column text. An id of twenty digits turns its column into floating-point numbers. read_csv
# keeps columns apart that mix times with and without offset.
# Seen:   "2026-01-02T03:04:05+02:00": timestamp[s] 01:04:05 / with "": string, as it was / 12345678901234567890: double
# Expected by most: what is a text in JSON is a text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1
cat > run.py <<'PY'
import io
import importlib.metadata
import sys
import pyarrow.csv
import pyarrow.json

print('pyarrow', importlib.metadata.version('pyarrow'), file=sys.stderr)
for values in [
    ['"2026-01-02T03:04:05+02:00"'],
    ['"2026-01-02T03:04:05+02:00"', '"2026-01-02 03:04:05"'],
    ['"2026-01-02"', 'null'],
    ['"2026-01-02T03:04:05+02:00"', '"2026-01-02T03:04:05.5"'],
    ['"2026-01-02T03:04:05"', '""'],
    ['12345678901234567890', '5'],
]:
    table = pyarrow.json.read_json(io.BytesIO(''.join(f'{{"v":{value}}}\n' for value in values).encode()))
    flat = pyarrow.csv.read_csv(io.BytesIO(('v,w\n' + ''.join(value.replace('null', '') + ',1\n' for value in values)).encode()))
    print(', '.join(values))
    print('    json', table.schema.field('v').type, [str(value) for value in table['v'].to_pylist()])
    print('    csv ', flat.schema.field('v').type, [str(value) for value in flat['v'].to_pylist()])
PY
env/bin/python run.py | tee out
diff out - <<'END'
"2026-01-02T03:04:05+02:00"
    json timestamp[s] ['2026-01-02 01:04:05']
    csv  timestamp[s, tz=UTC] ['2026-01-02 01:04:05+00:00']
"2026-01-02T03:04:05+02:00", "2026-01-02 03:04:05"
    json timestamp[s] ['2026-01-02 01:04:05', '2026-01-02 03:04:05']
    csv  string ['2026-01-02T03:04:05+02:00', '2026-01-02 03:04:05']
"2026-01-02", null
    json timestamp[s] ['2026-01-02 00:00:00', 'None']
    csv  date32[day] ['2026-01-02', 'None']
"2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05.5"
    json string ['2026-01-02T03:04:05+02:00', '2026-01-02T03:04:05.5']
    csv  string ['2026-01-02T03:04:05+02:00', '2026-01-02T03:04:05.5']
"2026-01-02T03:04:05", ""
    json string ['2026-01-02T03:04:05', '']
    csv  timestamp[s] ['2026-01-02 03:04:05', 'None']
12345678901234567890, 5
    json double ['1.2345678901234567e+19', '5.0']
    csv  double ['1.2345678901234567e+19', '5.0']
END
