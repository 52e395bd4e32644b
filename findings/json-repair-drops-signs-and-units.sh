#!/usr/bin/env bash
# json-repair 0.64.6 (PyPI), what many Python agents mend a model's JSON with.
# Behaviour: a value that a model forgot to quote loses what does not look like a number, and which part depends on its form. A blank, a percent
# sign or a colon ends the value (and what follows the second colon becomes a key), a letter right behind the digits keeps all as a text, but
# then a minus at the start is gone.
# Seen:   3 apples -> 3 / 10% -> 10 / 5px -> "5px" / -5C -> "5C" / 12:30 -> 12 / 08:15:00 -> 8 and a key "15" / 1,5 -> "1,5"
# Expected by most: the text as it stands, each time.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-repair==0.64.6
cat > run.py <<'PY'
import importlib.metadata
import json
import json_repair

print('json-repair', importlib.metadata.version('json-repair'))
for value in ['3 apples', '10%', '5px', '-5C', '12:30', '08:15:00', '1,5', '2026-01-02']:
    print(value + ' -> ' + json.dumps(json_repair.loads('{"a": %s, "b": 2}' % value)))
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(printf '%s\n' '3 apples -> {"a": 3, "b": 2}' '10% -> {"a": 10, "b": 2}' '5px -> {"a": "5px", "b": 2}' '-5C -> {"a": "5C", "b": 2}' \
  '12:30 -> {"a": 12, "b": 2}' '08:15:00 -> {"a": 8, "15": 0, "b": 2}' '1,5 -> {"a": "1,5", "b": 2}' '2026-01-02 -> {"a": "2026-01-02", "b": 2}')
