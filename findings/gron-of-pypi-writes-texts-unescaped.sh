#!/usr/bin/env bash
# gron 1.4.0 (PyPI), which writes JSON as one assignment a line, so that grep finds a value with its path; named after the program written in Go.
# Behaviour: texts are put between quotes as they are, so that a quote stays a quote and a text of two lines is two lines, and a backslash before an n
# is one that the reader takes for a line break. A key with a dot or a digit in front is not put in brackets, so that {"x.y": 1} and {"x": {"y": 1}}
# give the same path; a key with a dash is.
# Seen:   {"x.y": 1}: json.x.y = 1; / "one\ntwo": two lines / "say \"hi\"": "say "hi""
# Expected by most: values as in JSON, one line each, and a path that says which key it is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check gron==1.4.0
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import gron

print('gron', importlib.metadata.version('gron'), file=sys.stderr)
for value in [{'x.y': 1}, {'x': {'y': 1}}, {'a-b': 1, '1a': 2}, {'note': 'say "hi"'}, {'note': 'one\ntwo'}, {'path': 'C:\\new'}]:
    print(json.dumps(value))
    print(gron.gron(json.dumps(value)).replace('\n', '\n    ').replace('json = {};', '    json = {};', 1))
PY
env/bin/python run.py | tee out
diff out - <<'END'
{"x.y": 1}
    json = {};
    json.x.y = 1;
{"x": {"y": 1}}
    json = {};
    json.x = {};
    json.x.y = 1;
{"a-b": 1, "1a": 2}
    json = {};
    json.1a = 2;
    json["a-b"] = 1;
{"note": "say \"hi\""}
    json = {};
    json.note = "say "hi"";
{"note": "one\ntwo"}
    json = {};
    json.note = "one
    two";
{"path": "C:\\new"}
    json = {};
    json.path = "C:\new";
END
