#!/usr/bin/env bash
# tablib 3.10.0 (PyPI), which reads and writes tables in a dozen formats; JSON and YAML, a list of records.
# Behaviour: the names of the first record become the headers, and of all later ones only the values are taken, in the order in which they stand in
# the file: {"b": 3, "a": 4} after {"a": 1, "b": 2} has 3 under a and 4 under b, and a member of another name is put under the header at its place.
# Without an error, as long as the count is right; with one member more or fewer the whole load fails.
# Seen:   [{"a":1,"b":2},{"b":3,"a":4},{"a":5,"c":6}]: a=1 b=2, a=3 b=4, a=5 b=6
# Expected by most: members of a record are found by their names.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tablib==3.10.0 pyyaml==6.0.3
cat > run.py <<'PY'
import importlib.metadata
import sys
import tablib

print('tablib', importlib.metadata.version('tablib'), file=sys.stderr)
for kind, text in [
    ('json', '[{"a":1,"b":2},{"b":3,"a":4},{"a":5,"c":6}]'),
    ('yaml', '- name: ann\n  role: admin\n- role: guest\n  name: bob\n'),
    ('json', '[{"a":1,"b":2},{"a":5}]'),
]:
    try:
        print(tablib.Dataset().load(text, format=kind).dict)
    except Exception as error:
        print(type(error).__name__)
PY
env/bin/python run.py | tee out
diff out - <<'END'
[{'a': 1, 'b': 2}, {'a': 3, 'b': 4}, {'a': 5, 'b': 6}]
[{'name': 'ann', 'role': 'admin'}, {'name': 'guest', 'role': 'bob'}]
InvalidDimensions
END
