#!/usr/bin/env bash
# nano-vectordb 0.0.4.3 (PyPI), a store of vectors in a file.
# Behaviour: get(ids) gives the records in the order of the store, not of the ids, and leaves out what is not there, so that names and records that are zipped together do not match.
# A record without an id gets one made of its vector: two texts with one vector are one, and the first text is gone. Of two records with one id in one call the second is kept.
# Seen:   get(["c", "a", "zz", "b"]): a, b, c / two notes with one vector: 1 record, the second note
# Expected by most: c, a, nothing, b, as asked; two records.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check nano-vectordb==0.0.4.3
cat > run.py <<'PY'
import importlib.metadata
import logging
import sys
import numpy as np
from nano_vectordb import NanoVectorDB
logging.disable(logging.CRITICAL)
print('nano-vectordb', importlib.metadata.version('nano-vectordb'), file=sys.stderr)
vector = lambda *values: np.array(values, dtype=np.float32)
store = NanoVectorDB(3, storage_file='store.json')
store.upsert([{'__id__': name, '__vector__': vector(*place), 'text': f'text of {name}'} for name, place in [('a', (1, 0, 0)), ('b', (0, 1, 0)), ('c', (0, 0, 1))]])
asked = ['c', 'a', 'zz', 'b']
print('asked:', asked)
print('given:', [record['__id__'] for record in store.get(asked)])
for name, record in zip(asked, store.get(asked)):
    print(f'zipped: {name} has "{record["text"]}"')
notes = NanoVectorDB(3, storage_file='notes.json')
answer = notes.upsert([{'__vector__': vector(1, 2, 3), 'text': 'pay the rent'}, {'__vector__': vector(1, 2, 3), 'text': 'Pay the rent.'}])
print('two notes without ids:', len(answer['insert']), 'inserted,', len(notes), 'kept:', [record['text'] for record in notes.query(vector(1, 2, 3))])
PY
env/bin/python run.py | tee out
diff out - <<'END'
asked: ['c', 'a', 'zz', 'b']
given: ['a', 'b', 'c']
zipped: c has "text of a"
zipped: a has "text of b"
zipped: zz has "text of c"
two notes without ids: 1 inserted, 1 kept: ['Pay the rent.']
END
