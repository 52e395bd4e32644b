#!/usr/bin/env bash
# flatten_json 0.1.14 (PyPI), which makes one flat record of nested JSON, default settings.
# Behaviour: the steps of a name are joined by _, which names have themselves, and the second of two equal names replaces the first without a
# word. So an answer with user_id (the author, 5) and user: {id: 7} has one field user_id, and which value it holds depends on the order of the
# two. The way back makes a member of user out of user_id, and lists out of objects whose names are digits.
# Seen:   {'user_id': 5, 'user': {'id': 7}}: {'user_id': 7} / the other order: {'user_id': 5} / back from {'user_id': 5, ...}: {'user': {'id': 5,
# ...}}
# Expected by most: two fields, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check flatten-json==0.1.14
cat > run.py <<'PY'
from flatten_json import flatten, unflatten_list

for value in [{'user_id': 5, 'user': {'id': 7}}, {'user': {'id': 7}, 'user_id': 5}, {'a': [{'b': 1}], 'a_0': {'b': 2}}]:
    print(value, flatten(value))
for value in [{'user_id': 5, 'user': {'name': 'x'}}, {'codes': {'0': 'ok', '1': 'failed'}}, {'codes': {'1': 'ok', '2': 'failed'}}]:
    print('there and back', value, unflatten_list(flatten(value)))
PY
env/bin/python -c "import importlib.metadata as m; print('flatten-json', m.version('flatten-json'))"
env/bin/python run.py | tee out
diff out - <<'END'
{'user_id': 5, 'user': {'id': 7}} {'user_id': 7}
{'user': {'id': 7}, 'user_id': 5} {'user_id': 5}
{'a': [{'b': 1}], 'a_0': {'b': 2}} {'a_0_b': 2}
there and back {'user_id': 5, 'user': {'name': 'x'}} {'user': {'id': 5, 'name': 'x'}}
there and back {'codes': {'0': 'ok', '1': 'failed'}} {'codes': ['ok', 'failed']}
there and back {'codes': {'1': 'ok', '2': 'failed'}} {'codes': {'1': 'ok', '2': 'failed'}}
END
