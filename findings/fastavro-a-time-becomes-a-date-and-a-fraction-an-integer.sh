#!/usr/bin/env bash
# fastavro 1.13.1 (PyPI), records written with a schema and read again with the same.
# Behaviour: a field is null, a date or a time (three kinds in a union, in this order). A time is written as the date: its hours are gone, without a word,
# and neither of the two checks (strict, validator) says so. In the other order both are right. A fraction for an int is cut, and a number that is too large
# for the 32 bits of an int is written all the same; only validator tells. A field that the schema does not have, a slip of the pen for instance,
# is left out, and the default stands in its place; only strict tells. Both are off by default.
# Seen:   2026-01-02 03:04:05 in ["null", date, timestamp-millis]: 2026-01-02 / 3.7 for int: 3 / {"totl": 9}: total 0
# Expected by most: the time, and errors for the rest.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastavro==1.13.1
cat > run.py <<'PY'
import datetime
import importlib.metadata
import io
import sys
import fastavro

print('fastavro', importlib.metadata.version('fastavro'), file=sys.stderr)
day = {'type': 'int', 'logicalType': 'date'}
time = {'type': 'long', 'logicalType': 'timestamp-millis'}


def write(kind, record, default=None, **how):
    schema = fastavro.parse_schema({'type': 'record', 'name': 'R', 'fields': [{'name': 'total', 'type': kind, 'default': default}]})
    file = io.BytesIO()
    try:
        fastavro.writer(file, schema, [record], **how)
    except Exception as error:
        return type(error).__name__
    file.seek(0)
    return next(fastavro.reader(file))['total']


moment = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
for name, kind, record, default in [
    ('a time, date first', ['null', day, time], {'total': moment}, None),
    ('a time, time first', ['null', time, day], {'total': moment}, None),
    ('a date, time first', ['null', time, day], {'total': moment.date()}, None),
    ('3.7 for int', 'int', {'total': 3.7}, 0),
    ('2 to the power of 40 for int', 'int', {'total': 2**40}, 0),
    ('the name totl', 'int', {'totl': 9}, 0),
]:
    print(f'{name}: {write(kind, record, default)}, strict: {write(kind, record, default, strict=True)}, validator: {write(kind, record, default, validator=True)}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
a time, date first: 2026-01-02, strict: 2026-01-02, validator: 2026-01-02
a time, time first: 2026-01-02 03:04:05+00:00, strict: 2026-01-02 03:04:05+00:00, validator: 2026-01-02 03:04:05+00:00
a date, time first: 2026-01-02, strict: 2026-01-02, validator: 2026-01-02
3.7 for int: 3, strict: 3, validator: ValidationError
2 to the power of 40 for int: 1099511627776, strict: 1099511627776, validator: ValidationError
the name totl: 0, strict: ValueError, validator: 0
END
