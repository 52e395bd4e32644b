#!/usr/bin/env bash
# duckdb 2.0.1 (PyPI): read_csv as it is, with its own guesses (the sniffer), on small whole files.
# Behaviour: (1) numbers with decimal commas between semicolons, in every column: the comma is taken as the delimiter, so that 50,7;7,1 is 50, "7;7", 1,
# and the header, which has no comma, is gone. With one column of names it is read rightly. (2) t and f are words for true and false, so the header
# "f" above true and false is a row; "n" or "y" is a header. (3) yes and no are booleans, as are t and f.
# Seen:   lat;lon: (50, '7;7', 1) without a header / city;lat: ('Bonn', '50,7') / f: column0, three rows / n: n, two rows
# Expected by most: the delimiter of the header line, and a name of one letter is a name.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1
cat > run.py <<'PY'
import pathlib
import duckdb

print('duckdb', duckdb.__version__)
tried = {
    'lat;lon': 'lat;lon\n50,7;7,1\n54,3;10,1\n48,4;10,0\n',
    'city;lat': 'city;lat\nBonn;50,7\nKiel;54,3\nUlm;48,4\n',
    'f': 'f\ntrue\nfalse\n',
    'n': 'n\ntrue\nfalse\n',
    'answer': 'answer\nyes\nno\n',
}
for name, text in tried.items():
    pathlib.Path('t.csv').write_text(text)
    table = duckdb.sql("from read_csv('t.csv')")
    rows = table.fetchall()
    print(f'{name}: {table.columns} {len(rows)} rows, first {rows[0]}')
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(cat <<'END'
lat;lon: ['column0', 'column1', 'column2'] 3 rows, first (50, '7;7', 1)
city;lat: ['city', 'lat'] 3 rows, first ('Bonn', '50,7')
f: ['column0'] 3 rows, first (False,)
n: ['n'] 2 rows, first (True,)
answer: ['answer'] 2 rows, first (True,)
END
)
