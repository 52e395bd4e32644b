#!/usr/bin/env bash
# ijson 3.6.0 (PyPI), which reads large JSON piece by piece; the part that is wanted is named by a prefix such as `rows.item`.
# Behaviour: a prefix is a text, and neither a dot in a key nor a key of the name "item" is told from what they mean in it. `a.b` gives the member
# b of a as well as a member whose key is "a.b". `rows.item.item` goes down into arrays and into objects with a key "item" alike, and
# `order.item` gives the whole value of a key "item", not what the array in it holds. There is no way to quote.
# Seen:   a.b: [1, 2] / rows.item.item: [1, 2, 3] / order.item: [[7, 8]] / order.item.item: [7, 8]
# Expected by most: one thing for a prefix, or an error where two could be meant.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ijson==3.6.0
cat > run.py <<'PY'
import importlib.metadata
import io
import ijson

print('ijson', importlib.metadata.version('ijson'))
tried = [
    ('a.b', b'{"a.b": 1, "a": {"b": 2}}'),
    ('rows.item.item', b'{"rows": [[1, 2], {"item": 3}]}'),
    ('order.item', b'{"order": {"item": [7, 8]}}'),
    ('order.item.item', b'{"order": {"item": [7, 8]}}'),
]
for prefix, text in tried:
    print(prefix + ': ' + str(list(ijson.items(io.BytesIO(text), prefix))))
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(printf '%s\n' 'a.b: [1, 2]' 'rows.item.item: [1, 2, 3]' 'order.item: [[7, 8]]' 'order.item.item: [7, 8]')
