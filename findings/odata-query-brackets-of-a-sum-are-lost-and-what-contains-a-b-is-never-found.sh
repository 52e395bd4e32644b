#!/usr/bin/env bash
# odata-query 0.10.0 (PyPI), filters of OData to SQL for SQLite, PostgreSQL and Athena; SQLite answers.
# Behaviour: brackets in sums are dropped: "a sub (b sub c)" becomes a - b - c and "(a add b) mul 2" becomes a + b * 2, so another figure is compared and nothing is said. In contains(),
# startswith() and endswith() the signs _ and % are doubled, which SQL does not take for an escape: a_b is then looked for as a__b, which a_b is not, and 50% finds 50 as well.
# Seen:   a sub (b sub c) eq 8 -> "a" - "b" - "c" = 8: none / contains(name,'a_b') -> LIKE '%a__b%': not a_b, but axyb
# Expected by most: 10 - (5 - 3) = 8 is found, a_b is found.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check odata-query==0.10.0
cat > run.py <<'PY'
import logging
import sqlite3
from odata_query.grammar import ODataLexer, ODataParser
from odata_query.sql import AstToSqliteSqlVisitor

logging.disable(logging.CRITICAL)
db = sqlite3.connect(':memory:')
db.execute('create table t (name text, a integer, b integer, c integer)')
db.executemany('insert into t values (?, ?, ?, ?)', [('a_b', 10, 5, 3), ('axyb', 8, 0, 0), ('50%', 1, 2, 3), ('50 percent', 4, 1, 6)])


def ask(text, plain):
    sql = AstToSqliteSqlVisitor().visit(ODataParser().parse(ODataLexer().tokenize(text)))
    rows = [', '.join(one[0] for one in db.execute(f'select name from t where {where}')) or 'none' for where in (sql, plain)]
    print(f'{text}\n    {sql}: {rows[0]}\n    {plain}: {rows[1]}')


ask('a sub (b sub c) eq 8', 'a - (b - c) = 8')
ask('(a add b) mul 2 eq 30', '(a + b) * 2 = 30')
ask('a sub b sub c eq 2', 'a - b - c = 2')
ask('12 div (b add 1) eq 2', '12 / (b + 1) = 2')
ask('(a eq 1 or a eq 4) and b eq 1', '(a = 1 or a = 4) and b = 1')
ask("contains(name,'a_b')", "instr(name, 'a_b') > 0")
ask("startswith(name,'50%')", "substr(name, 1, 3) = '50%'")
ask("contains(name,'0%')", "instr(name, '0%') > 0")
PY
echo "odata-query $(env/bin/python -c "import importlib.metadata as m; print(m.version('odata-query'))")"
env/bin/python run.py | tee out
diff out - <<'END'
a sub (b sub c) eq 8
    "a" - "b" - "c" = 8: axyb
    a - (b - c) = 8: a_b, axyb
(a add b) mul 2 eq 30
    "a" + "b" * 2 = 30: none
    (a + b) * 2 = 30: a_b
a sub b sub c eq 2
    "a" - "b" - "c" = 2: a_b
    a - b - c = 2: a_b
12 div (b add 1) eq 2
    12 / "b" + 1 = 2: none
    12 / (b + 1) = 2: a_b
(a eq 1 or a eq 4) and b eq 1
    ("a" = 1 OR "a" = 4) AND "b" = 1: 50 percent
    (a = 1 or a = 4) and b = 1: 50 percent
contains(name,'a_b')
    "name" LIKE '%a__b%': axyb
    instr(name, 'a_b') > 0: a_b
startswith(name,'50%')
    "name" LIKE '50%%%': 50%, 50 percent
    substr(name, 1, 3) = '50%': 50%
contains(name,'0%')
    "name" LIKE '%0%%%': 50%, 50 percent
    instr(name, '0%') > 0: 50%
END
