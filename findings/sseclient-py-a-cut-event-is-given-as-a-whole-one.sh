#!/usr/bin/env bash
# sseclient-py 1.9.0 (PyPI), reads event streams in Python.
# Behaviour: when the connection ends within an event, what had come of it is given as an event like any other. The standard says that an event without its
# blank line is thrown away. So a half JSON, or a number without its last digits, arrives as the last event, and nothing tells it from a whole one.
# A retry that is no number is handed on too.
# Seen:   cut within a number: data '{"total": 12', then 'total 12' / retry: 'abc'
# Expected by most: the cut event is not given.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check sseclient-py==1.9.0
cat > run.py <<'PY'
import importlib.metadata
import sseclient

print('sseclient-py', importlib.metadata.version('sseclient-py'))
whole = b'event: delta\ndata: first\n\nevent: total\ndata: 12500\n\n'
for name, stream in (('whole', whole), ('cut before the blank line', whole[:-1]), ('cut within the number', whole[:-5]), ('cut after the name', whole[:-13]),
                     ('half JSON', b'data: {"total": 125'), ('a retry in words', b'retry: abc\ndata: x\n\n')):
    print(name + ':', [(event.event, event.data, event.retry) for event in sseclient.SSEClient(iter([stream])).events()])
PY
env/bin/python run.py | tee out
diff out - <<'END'
sseclient-py 1.9.0
whole: [('delta', 'first', None), ('total', '12500', None)]
cut before the blank line: [('delta', 'first', None), ('total', '12500', None)]
cut within the number: [('delta', 'first', None), ('total', '12', None)]
cut after the name: [('delta', 'first', None)]
half JSON: [('message', '{"total": 125', None)]
a retry in words: [('message', 'x', 'abc')]
END
