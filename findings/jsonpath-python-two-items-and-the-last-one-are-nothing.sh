#!/usr/bin/env bash
# jsonpath-python 1.1.6 (PyPI), JSONPath.
# Behaviour: paths that it does not know are no error, they find nothing. [0,2] for two items is empty (several names work), [-1] for the last item is empty (its slices take negative numbers),
# && for two conditions is empty (it has "and"), "is None" of a field that is not there too. A filter behind .. gives each hit twice. A filter for a field that is there leaves out 0.
# Seen:   $.items[0,2].id: [] / $.items[-1].id: [] / && : [] / $..[?(@.price > 10)].id: [4, 4]
# Expected by most: [1, 3], [4], [1, 4] and [4], or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jsonpath-python==1.1.6
cat > run.py <<'PY'
import importlib.metadata
from jsonpath import JSONPath

print('jsonpath-python', importlib.metadata.version('jsonpath-python'))
data = {'items': [{'id': 1, 'price': 5}, {'id': 2, 'price': 0}, {'id': 3}, {'id': 4, 'price': 20}]}
for path in ('$.items[0].id', '$.items[0,2].id', '$.items[-1].id', '$.items[-1:].id', '$.items[?(@.price > 3 && @.price < 25)].id', '$.items[?(@.price > 3 and @.price < 25)].id',
             '$..[?(@.price > 10)].id', '$.items[?(@.price > 10)].id', '$.items[?(@.price)].id', '$.items[?(@.price >= 0)].id', '$.items[?(!@.price)].id'):
    print(path + ':', JSONPath(path).parse(data))
PY
env/bin/python run.py | tee out
diff out - <<'END'
jsonpath-python 1.1.6
$.items[0].id: [1]
$.items[0,2].id: []
$.items[-1].id: []
$.items[-1:].id: [4]
$.items[?(@.price > 3 && @.price < 25)].id: []
$.items[?(@.price > 3 and @.price < 25)].id: [1, 4]
$..[?(@.price > 10)].id: [4, 4]
$.items[?(@.price > 10)].id: [4]
$.items[?(@.price)].id: [1, 4]
$.items[?(@.price >= 0)].id: [1, 2, 4]
$.items[?(!@.price)].id: []
END
