#!/usr/bin/env bash
# polars 2.1.0 (PyPI), which agents and servers for data read JSON with; read_ndjson, read_json and from_dicts as they are.
# Behaviour: the first 100 records decide the columns, and what comes later is treated in opposite ways. A key that first stands in record 101 (an error, say)
# is left out without a word by read_ndjson and from_dicts and is an error in read_json. A 2.9 after a hundred whole numbers is an error in
# read_ndjson and becomes 2, without a word, in read_json and from_dicts. Of two equal keys the first counts, where nearly all readers take the last.
# Seen:   key in record 101: left out / error / left out; 2.9 in record 101: error / 2 / 2; {"a": 1, "a": 2}: 1
# Expected by most: all keys, and floating-point numbers; or the same error from all three.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check polars==2.1.0
cat > run.py <<'PY'
import io
import json
import polars

readers = {
    'read_ndjson': lambda rows: polars.read_ndjson(io.BytesIO('\n'.join(map(json.dumps, rows)).encode())),
    'read_json': lambda rows: polars.read_json(io.BytesIO(json.dumps(rows).encode())),
    'from_dicts': polars.from_dicts,
}
for name, reader in readers.items():
    for kind, last in (('key', {'a': 2, 'error': 'x'}), ('float', {'a': 2.9})):
        for before in (99, 100):
            try:
                print(f'{name}, {kind} after {before}: {reader([{"a": 1}] * before + [last]).tail(1).to_dicts()[0]}')
            except polars.exceptions.ComputeError:
                print(f'{name}, {kind} after {before}: ComputeError')
print('equal keys:', polars.read_ndjson(io.BytesIO(b'{"a": 1, "a": 2}\n')).to_dicts()[0])
PY
env/bin/python -c "import polars; print('polars', polars.__version__)"
env/bin/python run.py | tee out
diff out - <<'END'
read_ndjson, key after 99: {'a': 2, 'error': 'x'}
read_ndjson, key after 100: {'a': 2}
read_ndjson, float after 99: {'a': 2.9}
read_ndjson, float after 100: ComputeError
read_json, key after 99: {'a': 2, 'error': 'x'}
read_json, key after 100: ComputeError
read_json, float after 99: {'a': 2.9}
read_json, float after 100: {'a': 2}
from_dicts, key after 99: {'a': 2, 'error': 'x'}
from_dicts, key after 100: {'a': 2}
from_dicts, float after 99: {'a': 2.9}
from_dicts, float after 100: {'a': 2}
equal keys: {'a': 1}
END
