#!/usr/bin/env bash
# PyPika 0.51.1 (PyPI), builds SQL out of Python expressions; the queries are run by Python's own sqlite3.
# Behaviour: a minus before a sum or a difference is written without brackets: -(a + b) becomes -"a"+"b". A minus of a minus becomes "a"--"b", and in SQL two
# minus signs begin a comment: the rest of the line is gone, with the name of the table. A comparison as a number loses its brackets too: (a > 1) + (b > 1) is
# "a">1+"b">1. An Interval of 2 weeks and 1 day is 2 weeks, and == None is written as =null, which is never true.
# Seen:   a 7, b 2: -(a + b) is -5 / 10 - (-b) is 10 / (a > 1) + (b > 1) is 0 / c == None finds nothing / INTERVAL '2 WEEK'
# Expected by most: -9 / 12 / 2 / the row / 15 days
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pypika==0.51.1
cat > run.py <<'PY'
import importlib.metadata
import sqlite3
from pypika import Interval, Query, Table

print('pypika', importlib.metadata.version('pypika'))
base = sqlite3.connect(':memory:')
base.execute('create table t(a, b, c)')
base.execute('insert into t values(7, 2, null)')
t = Table('t')
for name, what in [('-(a + b)', -(t.a + t.b)), ('-(a - b)', -(t.a - t.b)), ('(a + b) * 2', (t.a + t.b) * 2), ('10 - (-b)', 10 - (-t.b)),
                   ('(a > 1) + (b > 1)', (t.a > 1) + (t.b > 1))]:
    text = str(Query.from_(t).select(what))
    print(name, '=>', text, '=>', base.execute(text).fetchone()[0])
for name, what in [('c == None', t.c == None), ('c.isnull()', t.c.isnull())]:  # noqa: E711
    text = str(Query.from_(t).select('a').where(what))
    print(name, '=>', text, '=>', base.execute(text).fetchall())
for parts in [{'weeks': 2, 'days': 1}, {'quarters': 1, 'months': 1}, {'days': 15}]:
    print(parts, '=>', Interval(**parts))
PY
env/bin/python run.py | tee out
diff out - <<'END'
pypika 0.51.1
-(a + b) => SELECT -"a"+"b" FROM "t" => -5
-(a - b) => SELECT -"a"-"b" FROM "t" => -9
(a + b) * 2 => SELECT ("a"+"b")*2 FROM "t" => 18
10 - (-b) => SELECT 10--"b" FROM "t" => 10
(a > 1) + (b > 1) => SELECT "a">1+"b">1 FROM "t" => 0
c == None => SELECT "a" FROM "t" WHERE "c"=null => []
c.isnull() => SELECT "a" FROM "t" WHERE "c" IS NULL => [(7,)]
{'weeks': 2, 'days': 1} => INTERVAL '2 WEEK'
{'quarters': 1, 'months': 1} => INTERVAL '1 QUARTER'
{'days': 15} => INTERVAL '15 DAY'
END
