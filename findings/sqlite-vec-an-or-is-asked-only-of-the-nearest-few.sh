#!/usr/bin/env bash
# sqlite-vec 0.1.9 with apsw (PyPI): the nearest of a vec0 table with conditions on its metadata columns.
# Behaviour: conditions joined by AND (=, >, IN, BETWEEN) are asked while searching: k = 2 gives the two nearest that meet them. Joined by OR (over two columns, or two ranges of one), negated with NOT, or with
# a calculation around the column, they are asked afterwards of the two nearest: rows that meet them are missing, down to none, and nothing is said. (LIKE on such a column is refused with an error.)
# Seen:   kind != 'a': rows 5 and 6; NOT (kind = 'a'): none / price > 40: rows 5 and 6; price > 40 OR price < 0: none
# Expected by most: the same two rows for both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check sqlite-vec==0.1.9 apsw==3.54.1.0
cat > run.py <<'PY'
import importlib.metadata
import sys
import apsw
import sqlite_vec
print('sqlite-vec', importlib.metadata.version('sqlite-vec'), file=sys.stderr)
db = apsw.Connection(':memory:')
db.enable_load_extension(True)
db.load_extension(sqlite_vec.loadable_path())
db.execute('create virtual table items using vec0(id integer primary key, place float[2], kind text, price integer)')
for number, kind in enumerate('aaaabc', start=1):
    db.execute('insert into items(id, place, kind, price) values (?, ?, ?, ?)', (number, sqlite_vec.serialize_float32([number, 0]), kind, number * 10))
for condition in ["kind = 'b'", "kind = 'b' or kind = 'c'", "kind in ('b', 'c')", "not (kind = 'a')", "kind != 'a'", "upper(kind) = 'B'", 'price > 40', 'price + 0 > 40', 'price > 40 or price < 0', "kind = 'b' or price = 60"]:
    rows = db.execute(f'select id from items where place match ? and k = 2 and ({condition})', (sqlite_vec.serialize_float32([1, 0]),)).fetchall()
    print(f'{condition}: {[row[0] for row in rows]}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
kind = 'b': [5]
kind = 'b' or kind = 'c': [5, 6]
kind in ('b', 'c'): [5, 6]
not (kind = 'a'): []
kind != 'a': [5, 6]
upper(kind) = 'B': []
price > 40: [5, 6]
price + 0 > 40: []
price > 40 or price < 0: []
kind = 'b' or price = 60: []
END
