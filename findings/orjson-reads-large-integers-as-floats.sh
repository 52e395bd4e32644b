#!/usr/bin/env bash
# orjson 3.13.0, ijson 3.6.0 (its C reader, yajl2_c) and msgspec 0.22.0 (all PyPI): integers above 64 bits, which JSON and Python both have.
# Behaviour: orjson refuses to write 2**64 and yet reads 18446744073709551616 without a word, as a float, so that an id has lost its digits. ijson
# reads it exactly, and with use_float=True, which speaks of fractions only, refuses it. msgspec reads it exactly.
# Seen:   orjson reads 1.8446744073709552e+19 and writes: TypeError / ijson 18446744073709551617, use_float: error / msgspec exact
# Expected by most: one limit for both directions, and an option about fractions that leaves integers alone.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check orjson==3.13.0 ijson==3.6.0 msgspec==0.22.0
cat > run.py <<'PY'
import importlib.metadata
import io
import ijson.backends.yajl2_c as ijson
import msgspec
import orjson

print(*(name + ' ' + importlib.metadata.version(name) for name in ('orjson', 'ijson', 'msgspec')))
text = b'[18446744073709551617]'


def shown(run):
    try:
        return repr(run())
    except Exception as error:
        return type(error).__name__


print('orjson reads: ' + shown(lambda: orjson.loads(text)[0]))
print('orjson writes: ' + shown(lambda: orjson.dumps(2**64 + 1)))
print('ijson: ' + shown(lambda: list(ijson.items(io.BytesIO(text), 'item'))[0]))
print('ijson, use_float: ' + shown(lambda: list(ijson.items(io.BytesIO(text), 'item', use_float=True))[0]))
print('msgspec: ' + shown(lambda: msgspec.json.decode(text)[0]))
PY
env/bin/python run.py | tee out
grep -qx 'orjson reads: 1.8446744073709552e+19' out && grep -q '^orjson writes: .*Error$' out
grep -qx 'ijson: 18446744073709551617' out && grep -q '^ijson, use_float: .*Error$' out && grep -qx 'msgspec: 18446744073709551617' out
