#!/usr/bin/env bash
# sql-metadata 3.0.1 with sqlglot 30.30.0 (PyPI), which lists the tables and columns of a query, with which tools check what a model's SQL reads.
# Behaviour: when a quoted name of a query is a word of the language such as from or select, and stands without its table, no quoted name of the query is listed
# any more, neither in the list of what is selected nor in WHERE. The tables are listed as before. A column with the name of an alias is not listed
# either, although SQL reads it from the table there: in "a as b, b" the second is the column b. Nothing says so.
# Seen:   select "Sender", "To" from mails: ['Sender', 'To'] / select "Sender", "From" from mails: [] / select id as salary, salary from t: ['id']
# Expected by most: each column of the table that the query reads.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check sql-metadata==3.0.1 sqlglot==30.30.0
cat > run.py <<'PY'
import importlib.metadata
from sql_metadata import Parser

print('sql-metadata', importlib.metadata.version('sql-metadata'))
for query in [
    'select "Sender", "To" from mails',
    'select "Sender", "From" from mails',
    'select "Sender" from mails where "Spam" = 0 order by "From"',
    'select "Sender", subject, "From" from mails',
    'select m."Sender", m."From" from mails m',
    'select id as salary, salary from t',
    'select max(id) as bonus, sum(t.bonus) as s from t',
]:
    parser = Parser(query)
    print(f'{query}: {parser.tables} {parser.columns}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
sql-metadata 3.0.1
select "Sender", "To" from mails: ['mails'] ['Sender', 'To']
select "Sender", "From" from mails: ['mails'] []
select "Sender" from mails where "Spam" = 0 order by "From": ['mails'] []
select "Sender", subject, "From" from mails: ['mails'] ['subject']
select m."Sender", m."From" from mails m: ['mails'] ['mails.Sender', 'mails.From']
select id as salary, salary from t: ['t'] ['id']
select max(id) as bonus, sum(t.bonus) as s from t: ['t'] ['id', 't.bonus']
END
