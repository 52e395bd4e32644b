#!/usr/bin/env bash
# whoosh3 3.54.0 (PyPI), the maintained Whoosh; default settings, QueryParser as in its quick start.
# Behaviour: update_document replaces what was committed, by the unique field. Twice in one writer with the same id it leaves both records, and a later update takes out one
# of them: from then on there are always two.
# A minus sign before a word is dropped, so that "error -network" finds only what has both. A comparison as price:>=10 is an empty query and finds nothing, without an error (price:[10 TO] works).
# Seen:   two updates of id 7 in one commit: draft, final; after the next: final, revised / "error -network": the network error / price:>=10: nothing
# Expected by most: one record, the last; errors without network; the dear ones.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check whoosh3==3.54.0
cat > run.py <<'PY'
import importlib.metadata
import os
import sys
from whoosh import fields, index
from whoosh.qparser import QueryParser
print('whoosh3', importlib.metadata.version('whoosh3'), file=sys.stderr)
os.mkdir('index')
schema = fields.Schema(id=fields.ID(unique=True, stored=True), text=fields.TEXT(stored=True), price=fields.NUMERIC(stored=True))
store = index.create_in('index', schema)
def write(*records):
    writer = store.writer()
    for number, text, price in records:
        writer.update_document(id=number, text=text, price=price)
    writer.commit()
def find(query):
    with store.searcher() as searcher:
        return sorted(f"{hit['id']} {hit['text']}" for hit in searcher.search(QueryParser('text', store.schema).parse(query)))
write(('1', 'network error', 5), ('2', 'disk error', 20))
write(('7', 'draft', 1), ('7', 'final', 2))
print('updated twice in one commit:', find('id:7'))
write(('7', 'revised', 3))
print('updated again:', find('id:7'))
write(('7', 'revised twice', 4))
print('and again:', find('id:7'))
for query in ['error -network', 'error NOT network', 'price:>=10', 'price:[10 TO]']:
    print(f'{query}: {find(query)}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
updated twice in one commit: ['7 draft', '7 final']
updated again: ['7 final', '7 revised']
and again: ['7 revised', '7 revised twice']
error -network: ['1 network error']
error NOT network: ['2 disk error']
price:>=10: []
price:[10 TO]: ['2 disk error']
END
