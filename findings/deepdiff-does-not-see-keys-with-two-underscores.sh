#!/usr/bin/env bash
# deepdiff 9.1.0 (PyPI), with which answers of APIs and snapshots are compared, default settings.
# Behaviour: a key that begins with two underscores is taken for a private attribute and left out, also in plain dictionaries. So an answer of GraphQL whose
# __typename changed from User to Error is equal to the old one, as are __v, __meta and __index__. With ignore_order a list is a set: three equal records
# against one are equal, and so are [1, 1, 2] and [1, 2, 2].
# Seen:   __typename: {} / _typename: a change / 3 equal records and 1, ignore_order: {} / [1, 1, 2] and [1, 2, 2]: {}
# Expected by most: what two JSON texts differ in is a difference; the order alone does not count.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check deepdiff==9.1.0
cat > run.py <<'PY'
from deepdiff import DeepDiff

print('__typename:', bool(DeepDiff({'__typename': 'User', 'id': 1}, {'__typename': 'Error', 'id': 1})))
print('_typename:', bool(DeepDiff({'_typename': 'User', 'id': 1}, {'_typename': 'Error', 'id': 1})))
print('__v only on one side:', bool(DeepDiff({'__v': 3, 'id': 1}, {'id': 1})))
print('with ignore_private_variables=False:', bool(DeepDiff({'__v': 3}, {'__v': 4}, ignore_private_variables=False)))
print('three equal records and one, ignore_order:', bool(DeepDiff([{'sum': 5}] * 3, [{'sum': 5}], ignore_order=True)))
print('[1, 1, 2] and [1, 2, 2], ignore_order:', bool(DeepDiff([1, 1, 2], [1, 2, 2], ignore_order=True)))
PY
env/bin/python -c "import deepdiff; print('deepdiff', deepdiff.__version__)"
env/bin/python run.py | tee out
diff out - <<'END'
__typename: False
_typename: True
__v only on one side: False
with ignore_private_variables=False: True
three equal records and one, ignore_order: False
[1, 1, 2] and [1, 2, 2], ignore_order: False
END
