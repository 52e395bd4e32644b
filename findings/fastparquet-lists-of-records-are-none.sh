#!/usr/bin/env bash
# fastparquet 2026.9.0 with pandas 3.1.1 (PyPI), the second engine of pandas for Parquet, on a file that pyarrow 26.0.1 (PyPI) wrote.
# Behaviour: a column of lists of records (the items of an order, the calls of a message) or of lists of lists is None in every row, without an error or a warning.
# Lists of plain values, records and maps are read. A decimal becomes a float that is not even the nearest one: 19.99 is 19.990000000000002, so that it is not equal to 19.99. A time with a zone
# comes without it, in UTC, half floats are two bytes, and a duration is a bare number.
# Seen:   items [{'sku': 'x', 'n': 1}]: None / matrix [[1, 2], [3]]: None / price Decimal('19.99'): 19.990000000000002 / 12:00 in Berlin: 10:00
# Most would guess: the same table as pyarrow reads, or an error for what it can not read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1
cat > run.py <<'PY'
import datetime
import decimal

import pandas
import pyarrow
import pyarrow.parquet

columns = {
    'items': pyarrow.array([[{'sku': 'x', 'n': 1}, {'sku': 'y', 'n': 2}], [{'sku': 'z', 'n': 3}]]),
    'matrix': pyarrow.array([[[1, 2], [3]], [[4]]]),
    'tags': pyarrow.array([['a', 'b'], ['c']]),
    'address': pyarrow.array([{'city': 'Oslo'}, {'city': 'Rome'}]),
    'price': pyarrow.array([decimal.Decimal('19.99'), decimal.Decimal('0.57')], pyarrow.decimal128(9, 2)),
    'at': pyarrow.array([datetime.datetime(2024, 5, 1, 10), datetime.datetime(2024, 5, 2, 10)], pyarrow.timestamp('ms', 'Europe/Berlin')),
    'half': pyarrow.array([1.5, 2.0], pyarrow.float16()),
    'took': pyarrow.array([90, 5], pyarrow.duration('s')),
}
for name, column in columns.items():
    pyarrow.parquet.write_table(pyarrow.table({name: column}), 'x.parquet')
    right = [str(row[name]) for row in pyarrow.parquet.read_table('x.parquet').to_pylist()]
    frame = pandas.read_parquet('x.parquet', engine='fastparquet')
    for one in frame.columns:
        print(f'{name}: pyarrow {right}, fastparquet', [str(value) for value in frame[one].tolist()])
PY
env/bin/python -c "import importlib.metadata as m; print('fastparquet', m.version('fastparquet'), 'pyarrow', m.version('pyarrow'), 'pandas', m.version('pandas'))"
env/bin/python -W ignore run.py | tee out
diff out - <<'END'
items: pyarrow ["[{'sku': 'x', 'n': 1}, {'sku': 'y', 'n': 2}]", "[{'sku': 'z', 'n': 3}]"], fastparquet ['None', 'None']
matrix: pyarrow ['[[1, 2], [3]]', '[[4]]'], fastparquet ['None', 'None']
tags: pyarrow ["['a', 'b']", "['c']"], fastparquet ["['a', 'b']", "['c']"]
address: pyarrow ["{'city': 'Oslo'}", "{'city': 'Rome'}"], fastparquet ['Oslo', 'Rome']
price: pyarrow ['19.99', '0.57'], fastparquet ['19.990000000000002', '0.5700000000000001']
at: pyarrow ['2024-05-01 12:00:00+02:00', '2024-05-02 12:00:00+02:00'], fastparquet ['2024-05-01 10:00:00', '2024-05-02 10:00:00']
half: pyarrow ['1.5', '2.0'], fastparquet ["b'\\x00>'", "b'\\x00@'"]
took: pyarrow ['0:01:30', '0:00:05'], fastparquet ['90', '5']
END
