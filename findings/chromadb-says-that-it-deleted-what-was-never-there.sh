#!/usr/bin/env bash
# chromadb 1.5.9 (PyPI), EphemeralClient, a collection with its own vectors (no model).
# Behaviour: delete(ids=...) answers with the number of ids that it was given, not of the records that it deleted: for ids that never existed, for one id that
# is named twice, and for a second call as well. delete(where=...) counts truly. add() for an id that exists changes nothing and says nothing, update() for an
# id that does not exist neither. upsert() with a new vector and no document keeps the old document, so the text and the vector of a record part.
# Seen:   delete(ids=["x", "y"]), neither exists: {'deleted': 2} / again the same id: {'deleted': 1} / add("a", "new text"): "old text"
# Expected by most: deleted 0, and an error or a count for the others.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check chromadb==1.5.9
cat > run.py <<'PY'
import importlib.metadata
import sys
import chromadb

print('chromadb', importlib.metadata.version('chromadb'), file=sys.stderr)
client = chromadb.EphemeralClient(settings=chromadb.Settings(anonymized_telemetry=False))
rows = client.create_collection('rows', embedding_function=None)
rows.add(ids=['a', 'b', 'c'], embeddings=[[1, 0], [0, 1], [1, 1]], documents=['old text', 'second', 'third'], metadatas=[{'n': 1}, {'n': 2}, {'n': 3}])
for how in [{'ids': ['x', 'y']}, {'ids': ['b']}, {'ids': ['b']}, {'where': {'n': 99}}, {'where': {'n': 3}}]:
    before = rows.count()
    said = rows.delete(**how)
    print(f'delete {how}: says {said}, records before {before}, after {rows.count()}')
print('add what exists:', rows.add(ids=['a'], embeddings=[[0, 9]], documents=['new text']), rows.get()['documents'])
print('update what is not there:', rows.update(ids=['z'], embeddings=[[0, 9]], documents=['text']), rows.count())
rows.upsert(ids=['a'], embeddings=[[0, 9]])
record = rows.get(include=['documents', 'embeddings'])
print('upsert with a vector alone:', record['documents'], [float(one) for one in record['embeddings'][0]])
PY
env/bin/python run.py | tee out
diff out - <<'END'
delete {'ids': ['x', 'y']}: says {'deleted': 2}, records before 3, after 3
delete {'ids': ['b']}: says {'deleted': 1}, records before 3, after 2
delete {'ids': ['b']}: says {'deleted': 1}, records before 2, after 2
delete {'where': {'n': 99}}: says {'deleted': 0}, records before 2, after 2
delete {'where': {'n': 3}}: says {'deleted': 1}, records before 2, after 1
add what exists: None ['old text']
update what is not there: None 1
upsert with a vector alone: ['old text'] [0.0, 9.0]
END
