#!/usr/bin/env bash
# lancedb 0.40.0 (PyPI), the vector store in a folder; a table made of records, as its guide shows it, to which more records are added.
# Behaviour: the first records decide the type of a column, and what is added or set later is cast to it. With a first price of 5, a later 19.99 is stored as 19 and -0.9 as 0, without an error; so does
# update(). A number in a text column becomes a text, a list of texts in it a text in brackets without quotes, a 2 in a column of true and false is true, and a date in a column of integers is its
# microseconds. The same rows by merge_insert are refused (a value would be truncated), and if 19.99 is among the FIRST records the column holds floats.
# Seen:   add 19.99: 19 / update to 19.99: 19 / merge_insert of 7.9: error / create_table of 5 and 19.99: 5.0 and 19.99
# Most would guess: an error on adding, as pyarrow has it, or a column of floats.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check lancedb==0.40.0
cat > run.py <<'PY'
import datetime

import lancedb

db = lancedb.connect('store')


def attempt(what, do, table):
    try:
        do()
        print(f'{what}: {table.search().where("id = 2").to_list()[0]["value"]!r}')
    except Exception:
        print(f'{what}: error')


for first, later in [(5, [19.99, -0.9, '7', '7.5', datetime.datetime(2024, 5, 1)]), ('a', [7.1, True, ['a', 'b']]), (True, [2, 'yes']), ([1, 2], [[1.5, 2.5]]), ({'net': 1}, [{'net': 1.9}])]:
    for value in later:
        table = db.create_table('rows', [{'id': 1, 'value': first}], mode='overwrite')
        attempt(f'{table.schema.field("value").type}, add {value!r}', lambda: table.add([{'id': 2, 'value': value}]), table)
both = [{'id': 1, 'value': 5}, {'id': 2, 'value': 6}]
table = db.create_table('rows', both, mode='overwrite')
attempt('int64, update to 19.99', lambda: table.update(where='id = 2', values={'value': 19.99}), table)
table = db.create_table('rows', both, mode='overwrite')
attempt('int64, merge_insert of 19.99', lambda: table.merge_insert('id').when_matched_update_all().execute([{'id': 2, 'value': 19.99}]), table)
table = db.create_table('rows', [{'id': 1, 'value': 5}, {'id': 2, 'value': 19.99}], mode='overwrite')
print(f'both at the start: {table.schema.field("value").type} {[row["value"] for row in table.to_arrow().to_pylist()]}')
PY
env/bin/python -c "import importlib.metadata as m; print('lancedb', m.version('lancedb'))"
env/bin/python run.py 2> /dev/null | tee out
diff out - <<'END'
int64, add 19.99: 19
int64, add -0.9: 0
int64, add '7': 7
int64, add '7.5': error
int64, add datetime.datetime(2024, 5, 1, 0, 0): 1714521600000000
string, add 7.1: '7.1'
string, add True: 'true'
string, add ['a', 'b']: '[a, b]'
bool, add 2: True
bool, add 'yes': True
list<item: int64>, add [1.5, 2.5]: [1, 2]
struct<net: int64>, add {'net': 1.9}: {'net': 1}
int64, update to 19.99: 19
int64, merge_insert of 19.99: error
both at the start: double [5.0, 19.99]
END
