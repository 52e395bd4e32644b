#!/usr/bin/env bash
# langgraph-checkpoint-sqlite 3.1.2 with langgraph-checkpoint 4.3.2 (PyPI): SqliteStore and InMemoryStore, the same records and the same searches.
# Behaviour: {"paid": {"$ne": True}} finds records without the field in memory, and leaves them out in SQLite. Amounts that are texts are compared as numbers in memory and as letters in SQLite, so that 10 is not above 9.
# A field whose name has a dot is found in memory and not in SQLite, where the dot is a path. None of it is an error. So a search that was tried with the store in memory answers otherwise when the agent goes into service.
# Seen:   not paid: memory [b, c], sqlite [b]; above "9": memory [a, b, c], sqlite [c]; v1.2: memory [a], sqlite []
# Expected by most: the same answers from both stores.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langgraph-checkpoint-sqlite==3.1.2 langgraph-checkpoint==4.3.2
cat > run.py <<'PY'
import importlib.metadata
import sqlite3
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

for name in ('langgraph-checkpoint', 'langgraph-checkpoint-sqlite'):
    print(name, importlib.metadata.version(name))
sqlite = SqliteStore(sqlite3.connect('store.db', check_same_thread=False, isolation_level=None))
sqlite.setup()
stores = {'memory': InMemoryStore(), 'sqlite': sqlite}
records = {
    'a': {'paid': True, 'amount': '10', 'v1.2': 'yes', 'limit': 5},
    'b': {'paid': False, 'amount': '100', 'limit': 50},
    'c': {'amount': '9.5', 'limit': 12.5},
}
searches = {
    'not paid': {'paid': {'$ne': True}},
    'paid is false': {'paid': False},
    'amount (text) above 9': {'amount': {'$gt': '9'}},
    'limit (number) above 9': {'limit': {'$gt': 9}},
    'field v1.2 is yes': {'v1.2': 'yes'},
}
for store in stores.values():
    for key, value in records.items():
        store.put(('orders',), key, value)
for label, wanted in searches.items():
    found = {name: sorted(item.key for item in store.search(('orders',), filter=wanted)) for name, store in stores.items()}
    print(label + ':', *(f'{name} {keys}' for name, keys in found.items()))
PY
env/bin/python run.py | tee out
diff out - <<'END'
langgraph-checkpoint 4.3.2
langgraph-checkpoint-sqlite 3.1.2
not paid: memory ['b', 'c'] sqlite ['b']
paid is false: memory ['b'] sqlite ['b']
amount (text) above 9: memory ['a', 'b', 'c'] sqlite ['c']
limit (number) above 9: memory ['b', 'c'] sqlite ['b', 'c']
field v1.2 is yes: memory ['a'] sqlite []
END
