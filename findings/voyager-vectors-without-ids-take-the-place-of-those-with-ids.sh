#!/usr/bin/env bash
# voyager 2.2.3 (PyPI), nearest neighbours in memory.
# Behaviour: add_items without ids counts on from 0, whatever ids there are already. After items 0, 1 and 10 were added with ids, two new ones without ids get 0 and 1
# and take the place of those: the index is no larger, the old vectors are gone, and nothing is raised. The ids that come back are right for the new ones only.
# mark_deleted takes an item out of answers, but len, "in" and ids still have it.
# Seen:   ids of the two new ones [0, 1], 3 items before and 3 after, item 0 was [1.0, 0.0] and is [0.6, 0.8]
# Expected by most: new ids, 11 and 12 or at least free ones, and 5 items.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check voyager==2.2.3 numpy==2.4.6
cat > run.py <<'PY'
import importlib.metadata
import numpy as np
import voyager

print('voyager', importlib.metadata.version('voyager'))


def vector(*numbers):
    return np.array(numbers, dtype=np.float32)


def shown(item):
    return [round(float(number), 3) for number in index.get_vector(item)]


index = voyager.Index(voyager.Space.Euclidean, num_dimensions=2)
for item, place in ((0, vector(1, 0)), (1, vector(0, 1)), (10, vector(-1, 0))):
    index.add_item(place, item)
print('before:', len(index), 'items', sorted(index.ids), 'item 0 is', shown(0))
print('ids of two more:', index.add_items(np.array([[0.6, 0.8], [0.8, 0.6]], dtype=np.float32)))
print('after:', len(index), 'items', sorted(index.ids), 'item 0 is', shown(0))
print('ids of two more, given by the caller:', index.add_items(np.array([[2, 2], [3, 3]], dtype=np.float32), [11, 12]))
print('then:', len(index), 'items', sorted(index.ids))
index.mark_deleted(10)
print('10 deleted:', len(index), 'items,', 10 in index, 'nearest to it:', index.query(vector(-1, 0), k=1)[0].tolist())
PY
env/bin/python run.py | tee out
diff out - <<'END'
voyager 2.2.3
before: 3 items [0, 1, 10] item 0 is [1.0, 0.0]
ids of two more: [0, 1]
after: 3 items [0, 1, 10] item 0 is [0.6, 0.8]
ids of two more, given by the caller: [11, 12]
then: 5 items [0, 1, 10, 11, 12]
10 deleted: 5 items, True nearest to it: [0]
END
