#!/usr/bin/env bash
# sqlglot 30.30.0 (PyPI), which translates SQL from one dialect to another, between SQLite (that of Python) and duckdb 2.0.1 (PyPI); each query is run on both sides.
# Behaviour: ordinary queries come out as valid SQL of the other side and give other figures there, without a warning. From SQLite: a quotient of integers gets its fraction, a cast
# to integer rounds where it cut, LIKE minds case. From DuckDB: the difference of two dates is that of their years, a date and one day are the number 2025, the position in 'abcdef'[2] is a
# column's name to SQLite, so that the whole text comes, months and years between two dates are counted in 30 and 365 days, a cast cuts where it rounded.
# Seen:   7 / 2: 3 -> 3.5 / date - date: 31 -> 0 / date + 1: 2024-02-01 -> 2025 / 'abcdef'[2]: b -> abcdef / months from 31 January to 1 February: 1 -> 0
# Most would guess: the same figures, or an error where the other side has no such thing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check sqlglot==30.30.0 duckdb==2.0.1
cat > run.py <<'PY'
import importlib.metadata
import sqlite3
import sys
import duckdb
import sqlglot

for name in ['sqlglot', 'duckdb']:
    print(name, importlib.metadata.version(name), file=sys.stderr)
engines = {'sqlite': sqlite3.connect(':memory:'), 'duckdb': duckdb.connect()}
for engine in engines.values():
    engine.execute('create table t (a integer, b integer, s varchar(9))')
    engine.execute("insert into t values (7, 2, 'Abc'), (9, 2, 'abd')")
for source, target, query in [
    ('sqlite', 'duckdb', 'select 7 / 2'),
    ('sqlite', 'duckdb', 'select sum(a / b) from t'),
    ('sqlite', 'duckdb', 'select cast(2.7 as integer)'),
    ('sqlite', 'duckdb', "select count(*) from t where s like 'ab%'"),
    ('duckdb', 'sqlite', "select date '2024-02-01' - date '2024-01-01'"),
    ('duckdb', 'sqlite', "select date '2024-01-31' + 1"),
    ('duckdb', 'sqlite', "select 'abcdef'[2]"),
    ('duckdb', 'sqlite', "select 'abcdef'[2:3]"),
    ('duckdb', 'sqlite', "select date_diff('month', date '2024-01-31', date '2024-02-01')"),
    ('duckdb', 'sqlite', "select datediff('year', date '2023-12-31', date '2024-01-01')"),
    ('duckdb', 'sqlite', 'select cast(2.7 as int)'),
    ('duckdb', 'sqlite', "select date_diff('day', date '2024-01-01', date '2024-02-01')"),
]:
    translated = sqlglot.transpile(query, read=source, write=target)[0]
    before, after = (engines[name].execute(text).fetchone()[0] for name, text in [(source, query), (target, translated)])
    print(f'{source} to {target}: {query} -> {translated}: {before} -> {after}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
sqlite to duckdb: select 7 / 2 -> SELECT 7 / NULLIF(2, 0): 3 -> 3.5
sqlite to duckdb: select sum(a / b) from t -> SELECT SUM(a / NULLIF(b, 0)) FROM t: 7 -> 8.0
sqlite to duckdb: select cast(2.7 as integer) -> SELECT CAST(2.7 AS INT): 2 -> 3
sqlite to duckdb: select count(*) from t where s like 'ab%' -> SELECT COUNT(*) FROM t WHERE s LIKE 'ab%': 2 -> 1
duckdb to sqlite: select date '2024-02-01' - date '2024-01-01' -> SELECT DATE('2024-02-01') - DATE('2024-01-01'): 31 -> 0
duckdb to sqlite: select date '2024-01-31' + 1 -> SELECT DATE('2024-01-31') + 1: 2024-02-01 -> 2025
duckdb to sqlite: select 'abcdef'[2] -> SELECT 'abcdef'[2]: b -> abcdef
duckdb to sqlite: select 'abcdef'[2:3] -> SELECT 'abcdef'[2:3]: bc -> abcdef
duckdb to sqlite: select date_diff('month', date '2024-01-31', date '2024-02-01') -> SELECT CAST((JULIANDAY(DATE('2024-02-01')) - JULIANDAY(DATE('2024-01-31'))) / 30.0 AS INTEGER): 1 -> 0
duckdb to sqlite: select datediff('year', date '2023-12-31', date '2024-01-01') -> SELECT CAST((JULIANDAY(DATE('2024-01-01')) - JULIANDAY(DATE('2023-12-31'))) / 365.0 AS INTEGER): 1 -> 0
duckdb to sqlite: select cast(2.7 as int) -> SELECT CAST(2.7 AS INTEGER): 3 -> 2
duckdb to sqlite: select date_diff('day', date '2024-01-01', date '2024-02-01') -> SELECT CAST((JULIANDAY(DATE('2024-02-01')) - JULIANDAY(DATE('2024-01-01'))) AS INTEGER): 31 -> 31
END
