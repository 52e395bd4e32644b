#!/usr/bin/env bash
# json-repair 0.64.6 (PyPI), what many Python agents mend a model's JSON with.
# Behaviour: several documents in one text are gathered into a list only while they differ in shape. A record whose keys are those of the one
# before it takes its place, so JSON lines of equal records end as the last record alone, without a warning. A record that lacks one key
# brings all of them back. Arrays behave the same, and lines of bare numbers give an empty text.
# Seen:   equal: {"id": 3, "state": "ok"} / one lacks a key: a list of three / arrays: [2] / numbers: ""
# Expected by most: a list of all records, or the first one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-repair==0.64.6
cat > run.py <<'PY'
import importlib.metadata
import json
import json_repair

print('json-repair', importlib.metadata.version('json-repair'))
tried = {
    'equal': '{"id":1,"state":"ok"}\n{"id":2,"state":"FAILED"}\n{"id":3,"state":"ok"}\n',
    'one lacks a key': '{"id":1,"state":"ok"}\n{"id":2}\n{"id":3,"state":"ok"}\n',
    'arrays': '[1]\n[2]\n',
    'numbers': '1\n2\n',
}
for name, text in tried.items():
    print(name + ': ' + json.dumps(json_repair.loads(text)))
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(printf '%s\n' 'equal: {"id": 3, "state": "ok"}' 'one lacks a key: [{"id": 1, "state": "ok"}, {"id": 2}, {"id": 3, "state": "ok"}]' 'arrays: [2]' 'numbers: ""')
