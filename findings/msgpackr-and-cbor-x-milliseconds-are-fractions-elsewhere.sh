#!/usr/bin/env bash
# msgpackr 2.1.4 and cbor-x 1.6.9 (npm) write, msgpack 1.2.4 and cbor2 6.3.0 (PyPI) read; @msgpack/msgpack 3.1.3 and cbor 10.0.12 (npm) write the same values.
# Behaviour: a whole number beyond 32 bits (a time in milliseconds, a size of a file, an id) is written as a floating-point number. JavaScript does not see
# this. Python gets 1767323045678.0, so as a key, in a text or in JSON it is another value, and true integers of the same program stay integers. The
# other two packages write integers. cbor-x turns a URL into an empty object, and a Map into a value with a tag of its own that no other reader knows.
# Seen:   1767323045678: 1767323045678.0 by msgpackr and cbor-x, 1767323045678 by the others / 4294967295: an integer in all
# Expected by most: an integer is an integer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts msgpackr@2.1.4 cbor-x@1.6.9 @msgpack/msgpack@3.1.3 cbor@10.0.12 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check msgpack==1.2.4 cbor2==6.3.0
cat > write.mjs <<'JS'
import fs from 'node:fs';
import { encode } from '@msgpack/msgpack';
import cbor from 'cbor';
import { encode as encodeX } from 'cbor-x';
import { pack } from 'msgpackr';
const value = { small: 4294967295, large: 4294967296, time: 1767323045678, below: -3000000000 };
const other = { link: new URL('https://example.com/a'), map: new Map([[1, 'a']]) };
const save = (name, bytes) => fs.writeFileSync(name, bytes);
save('msgpackr.msgpack', pack(value));
save('msgpack.msgpack', encode(value));
save('cbor-x.cbor', encodeX(value));
save('cbor.cbor', cbor.encode(value));
save('cbor-x-other.cbor', encodeX(other));
save('cbor-other.cbor', cbor.encode(other));
JS
cat > read.py <<'PY'
import cbor2
import msgpack
for name in ('msgpackr.msgpack', 'msgpack.msgpack', 'cbor-x.cbor', 'cbor.cbor', 'cbor-x-other.cbor', 'cbor-other.cbor'):
    data = open(name, 'rb').read()
    print(f'{name}: {msgpack.unpackb(data) if name.endswith("msgpack") else cbor2.loads(data)}')
PY
for name in msgpackr cbor-x; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node write.mjs
env/bin/python read.py | tee out
diff out - <<'END'
msgpackr.msgpack: {'small': 4294967295, 'large': 4294967296.0, 'time': 1767323045678.0, 'below': -3000000000.0}
msgpack.msgpack: {'small': 4294967295, 'large': 4294967296, 'time': 1767323045678, 'below': -3000000000}
cbor-x.cbor: {'small': 4294967295, 'large': 4294967296.0, 'time': 1767323045678.0, 'below': -3000000000}
cbor.cbor: {'small': 4294967295, 'large': 4294967296, 'time': 1767323045678, 'below': -3000000000}
cbor-x-other.cbor: {'link': {}, 'map': CBORTag(259, frozendict({1: 'a'}))}
cbor-other.cbor: {'link': CBORTag(32, 'https://example.com/a'), 'map': {1: 'a'}}
END
