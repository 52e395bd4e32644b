#!/usr/bin/env bash
# vicinity 0.4.6 (PyPI), one interface to vector stores, its own backend.
# Behaviour: insert of an item that is there already is no update and no error: it stands twice, with the old and the new vector, and answers give it twice.
# delete takes only the first of the two, so the item that was deleted is still found, and which vector stays depends on the order.
# Seen:   a, b, a: [1.0, 0.0] and [0.0, 1.0] are both "a" / after delete(["a"]): "a" is still found
# Expected by most: an update or an error, and no "a" after it was deleted.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check vicinity==0.4.6 numpy==2.4.6
cat > run.py <<'PY'
import importlib.metadata
import numpy as np
from vicinity import Vicinity

print('vicinity', importlib.metadata.version('vicinity'))
store = Vicinity.from_vectors_and_items(np.array([[1.0, 0.0], [0.6, 0.8]]), ['a', 'b'])


def near(what):
    found = store.query(np.array([1.0, 0.0]), k=10)[0]
    print(what + ':', ', '.join(f'{item} {abs(float(distance)):.2f}' for item, distance in found))


near('two items')
store.insert(['a'], np.array([[0.0, 1.0]]))
near('"a" inserted again')
store.delete(['a'])
near('"a" deleted')
store.delete(['a'])
near('"a" deleted once more')
store.insert(['b'], np.array([[0.0, 1.0]]))
store.delete(['b'])
near('"b" changed as most would, then deleted')
PY
env/bin/python run.py | tee out
diff out - <<'END'
vicinity 0.4.6
two items: a 0.00, b 0.40
"a" inserted again: a 0.00, b 0.40, a 1.00
"a" deleted: b 0.40, a 1.00
"a" deleted once more: b 0.40
"b" changed as most would, then deleted: b 1.00
END
