#!/usr/bin/env bash
# jsonflux 1.0.2 (PyPI): JSON as tables for SQL, and generate_prompt(), "the whole system prompt" with the schema "read out of the registered data", from which a model writes its SQL.
# Behaviour: the schema in the prompt is that of the JSON, not that of the table. Two fields that differ in capitals are both shown; in the table the second is status_1, and SQL for it gives the values of
# the first, without an error. A field with an id beyond 64 bits is shown as int, and is text in the table: MAX and ORDER BY go by letters, so that 9 is the greatest. A field that is an object in
# one record and a list in another is shown with its parts, which can not be asked for.
# Seen:   prompt: status: str; SELECT status: 1, 2, 3 (those of Status) / prompt: id: int; max(id): 9
# Expected by most: each path of the prompt gives its own values, of the kind that is told.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jsonflux==1.0.2
cat > run.py <<'PY'
import importlib.metadata
from jsonflux import QueryEngine

print('jsonflux', importlib.metadata.version('jsonflux'))
records = [
    {'Status': 1, 'status': 'paid', 'id': 12345678901234567890, 'to': {'city': 'Rome'}},
    {'Status': 2, 'status': 'open', 'id': 9, 'to': ['Oslo', 'Bonn']},
    {'Status': 3, 'status': 'paid', 'id': 1000, 'to': {'city': 'Bern'}},
]
engine = QueryEngine()
engine.register('t', records)
schema = engine.generate_prompt().split('### `t`')[1]
for name in ('Status', 'status', 'id', 'to'):
    print('prompt:', next(line.strip().split(' samples')[0] for line in schema.splitlines() if line.strip().startswith(name + ':')))
print('prompt names the column status_1:', 'status_1' in schema)
for query in ('SELECT status FROM t', "SELECT count(*) AS paid FROM t WHERE CAST(status AS VARCHAR) = 'paid'", 'SELECT status_1 FROM t', 'SELECT max(id) AS greatest FROM t', 'SELECT id FROM t ORDER BY id DESC', 'SELECT "to".city FROM t'):
    try:
        print(f'{query}:', engine.query(query))
    except Exception as error:
        print(f'{query}: {type(error).__name__}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
jsonflux 1.0.2
prompt: Status: int
prompt: status: str
prompt: id: int
prompt: to: {
prompt names the column status_1: False
SELECT status FROM t: [{'Status': 1}, {'Status': 2}, {'Status': 3}]
SELECT count(*) AS paid FROM t WHERE CAST(status AS VARCHAR) = 'paid': [{'paid': 0}]
SELECT status_1 FROM t: [{'status_1': 'paid'}, {'status_1': 'open'}, {'status_1': 'paid'}]
SELECT max(id) AS greatest FROM t: [{'greatest': '9'}]
SELECT id FROM t ORDER BY id DESC: [{'id': '9'}, {'id': '12345678901234567890'}, {'id': '1000'}]
SELECT "to".city FROM t: BinderException
END
