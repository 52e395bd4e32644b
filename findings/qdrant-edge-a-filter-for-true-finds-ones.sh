#!/usr/bin/env bash
# qdrant-edge-py 0.9.0 (PyPI), the engine of the vector store Qdrant as a library, against qdrant-client 1.20.0 (PyPI) in its local mode, which is written in Python.
# Behaviour: of some fifty filters all gave the same points in both, but one kind does not: MatchValue(True) of the engine's binding is the integer 1. So a filter for records that are done, open or
# public finds none of them, and those whose value is the number 1 in their place. In must_not it takes nothing away. An index of type bool changes nothing, and a facet of the same field counts
# its true and false rightly. With an index of type integer, a payload of 2.5 is found by no range; without an index, or with one of type float, it is.
# Seen:   must ok = True: engine [3], local mode [1]; must_not: engine all but 3, local mode all but 1 / facet: true 1, false 1 / integer index, n >= 2: [1], without [1, 3]
# Most would guess: the binding takes a bool for a bool, as the client does.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check qdrant-edge-py==0.9.0 qdrant-client==1.20.0
cat > run.py <<'PY'
import tempfile

import qdrant_edge as edge
from qdrant_client import QdrantClient, models

payloads = [{'ok': True}, {'ok': False}, {'ok': 1}, {'ok': 0}, {'ok': 'true'}, {}]


def shard(rows):
    made = edge.EdgeShard.create(tempfile.mkdtemp(dir='.'), edge.EdgeConfig(vectors=edge.EdgeVectorParams(size=2, distance=edge.Distance.Cosine)))
    made.update(edge.UpdateOperation.upsert_points([edge.Point(place, [1.0, float(place)], row) for place, row in enumerate(rows, 1)]))
    return made


def found(store, **parts):
    return [point.id for point in store.scroll(edge.ScrollRequest(limit=100, filter=edge.Filter(**parts)))[0]]


client = QdrantClient(':memory:')
client.create_collection('rows', vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
client.upsert('rows', [models.PointStruct(id=place, vector=[1.0, float(place)], payload=row) for place, row in enumerate(payloads, 1)])


def local(**parts):
    return [point.id for point in client.scroll('rows', scroll_filter=models.Filter(**parts), limit=100)[0]]


print('MatchValue(True).value:', repr(edge.MatchValue(True).value))
plain, indexed = shard(payloads), shard(payloads)
indexed.update(edge.UpdateOperation.create_field_index('ok', edge.PayloadSchemaType.Bool))
for value in (True, False, 1, 'true'):
    ours = [edge.FieldCondition('ok', match=edge.MatchValue(value))]
    theirs = [models.FieldCondition(key='ok', match=models.MatchValue(value=value))]
    print(f'ok = {value!r}: engine {found(plain, must=ours)}, with an index {found(indexed, must=ours)}, local mode {local(must=theirs)}; not: engine {found(plain, must_not=ours)}, local mode {local(must_not=theirs)}')
print('facet:', sorted((str(hit.value), hit.count) for hit in indexed.facet(edge.FacetRequest('ok')).hits))
numbers = [{'n': 3}, {'n': 1}, {'n': 2.5}]
for kind in (None, edge.PayloadSchemaType.Integer, edge.PayloadSchemaType.Float):
    store = shard(numbers)
    if kind is not None:
        store.update(edge.UpdateOperation.create_field_index('n', kind))
    print('n >= 2, index', None if kind is None else str(kind).split('.')[-1], found(store, must=[edge.FieldCondition('n', range=edge.RangeFloat(gte=2))]))
PY
env/bin/python -c "import importlib.metadata as m; print('qdrant-edge-py', m.version('qdrant-edge-py'), 'qdrant-client', m.version('qdrant-client'))"
env/bin/python run.py | tee out
diff out - <<'END'
MatchValue(True).value: 1
ok = True: engine [3], with an index [3], local mode [1]; not: engine [1, 2, 4, 5, 6], local mode [2, 3, 4, 5, 6]
ok = False: engine [4], with an index [4], local mode [2]; not: engine [1, 2, 3, 5, 6], local mode [1, 3, 4, 5, 6]
ok = 1: engine [3], with an index [3], local mode [3]; not: engine [1, 2, 4, 5, 6], local mode [1, 2, 4, 5, 6]
ok = 'true': engine [5], with an index [5], local mode [5]; not: engine [1, 2, 3, 4, 6], local mode [1, 2, 3, 4, 6]
facet: [('False', 1), ('True', 1)]
n >= 2, index None [1, 3]
n >= 2, index Integer [1]
n >= 2, index Float [1, 3]
END
