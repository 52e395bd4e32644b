#!/usr/bin/env bash
# petl 1.7.30 (PyPI), tables in Python for ETL.
# Behaviour: values of different types are compared by the names of their types, as Python 2 did. What comes of CSV is text, and any text is
# greater than any number: selectgt(table, 'price', 100) gives every row, selectlt none; the largest of a column is '9'. Where some values are
# converted and others not, the latter are always at the end. None is less than all. And a table of dictionaries has only the fields of its first
# thousand: what comes later is gone without a word.
# Seen:   price > 100 of 9, 50, 1000: all 3 rows / < 100: none / max: '9' / a field that comes in record 1001: not in the table
# Expected by most: an error, as Python itself raises for '9' > 100, or a comparison of numbers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check petl==1.7.30
cat > run.py <<'PY'
import petl

table = petl.fromcsv(petl.MemorySource(b'item,price\na,9\nb,50\nc,1000\n'))
print('above 100:', petl.selectgt(table, 'price', 100).values('item').list())
print('below 100:', petl.selectlt(table, 'price', 100).values('item').list())
print('between 1 and 60:', petl.selectrangeopen(table, 'price', 1, 60).values('item').list())
print('max:', petl.aggregate(table, None, max, 'price').list())
mixed = [['price'], [1000], ['9'], [None], ['n/a']]
print('mixed, above 100:', petl.selectgt(mixed, 'price', 100).values('price').list())
print('mixed, below 100:', petl.selectlt(mixed, 'price', 100).values('price').list())
for at in (999, 1000):
    records = [{'id': number} for number in range(at)] + [{'id': at, 'error': 'disk full'}]
    print('a field that comes in record', at + 1, petl.fromdicts(records).list()[-1], petl.header(petl.fromdicts(records)))
PY
env/bin/python -c "import importlib.metadata as m; print('petl', m.version('petl'))"
env/bin/python run.py | tee out
diff out - <<'END'
above 100: ['a', 'b', 'c']
below 100: []
between 1 and 60: []
max: [('value',), ('9',)]
mixed, above 100: [1000, '9', 'n/a']
mixed, below 100: [None]
a field that comes in record 1000 (999, 'disk full') ('id', 'error')
a field that comes in record 1001 (1000,) ('id',)
END
