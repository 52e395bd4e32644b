#!/usr/bin/env bash
# tinydb 4.9.0 (PyPI), a document store in a JSON file, default settings.
# Behaviour: searches are remembered, and what is remembered are the very records that were handed out. A program that changes a record it found, for
# display say, finds its change again in the next equal search, while all() and the file have the old value. A search that was made with a tuple is
# remembered as the one with a list: nothing is found, though a fresh search finds the record. Only a write through the same table ends this.
# Seen:   second search for name == Ann: [{'name': 'A***'}] / all(): [{'name': 'Ann'...}] / the list after the tuple: [] / after clear_cache: found
# Expected by most: a search gives what is stored.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tinydb==4.9.0
cat > run.py <<'PY'
import importlib.metadata
from tinydb import TinyDB, where

print('tinydb', importlib.metadata.version('tinydb'))
db = TinyDB('store.json')
db.insert({'name': 'Ann', 'size': [1, 2]})
first = db.search(where('name') == 'Ann')
first[0]['name'] = 'A***'
print('second search:', db.search(where('name') == 'Ann'))
print('all:', db.all())
print('size is a tuple:', db.search(where('size') == (1, 2)))
print('size is a list:', db.search(where('size') == [1, 2]))
other = TinyDB('store.json')
print('asked of another object:', other.search(where('size') == [1, 2]))
db.clear_cache()
print('after clear_cache:', db.search(where('size') == [1, 2]))
PY
env/bin/python run.py | tee out
diff out - <<'END'
tinydb 4.9.0
second search: [{'name': 'A***', 'size': [1, 2]}]
all: [{'name': 'Ann', 'size': [1, 2]}]
size is a tuple: []
size is a list: []
asked of another object: [{'name': 'Ann', 'size': [1, 2]}]
after clear_cache: [{'name': 'Ann', 'size': [1, 2]}]
END
