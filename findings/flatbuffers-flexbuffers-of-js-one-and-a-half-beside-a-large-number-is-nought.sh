#!/usr/bin/env bash
# flatbuffers 25.9.23 (npm), FlexBuffers (flatbuffers/js/flexbuffers.js), encode and toObject; flatbuffers 25.12.19 (PyPI) reads the same bytes with flexbuffers.Loads.
# Behaviour: in a map that has an integer of more than 32 bits, a number that fits into a short float (1.5, 52.5) is written as a short float into a field of eight bytes. It is read as a long one: some 5e-315, which is
# nought in every sum. Both readers give that number, so the bytes are wrong. Numbers that need all bits (19.99) are well, and without the large integer 1.5 is well too. No error anywhere.
# Seen:   {"lat":52.5,"id":12345678901}: lat 5.49732125e-315 / {"a":1.5,"b":7}: 1.5 / {"price":19.99,"id":12345678901}: 19.99
# Expected by most: 52.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund flatbuffers@25.9.23
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check flatbuffers==25.12.19
cat > run.cjs <<'JS'
const { writeFileSync } = require('fs');
const { encode, toObject } = require('flatbuffers/js/flexbuffers.js');
const values = [{ a: 1.5, b: 7 }, { lat: 52.5, id: 12345678901 }, { lat: 52.5, id: '12345678901' }, { price: 19.99, id: 12345678901 }, { score: 0.5, at: 1767225600123 }];
const plain = (key, value) => (typeof value === 'bigint' ? Number(value) : value);
values.forEach((value, index) => {
  const bytes = encode(value);
  writeFileSync(`${index}.bin`, bytes);
  console.log(`js ${JSON.stringify(value)} -> ${JSON.stringify(toObject(bytes.buffer), plain)}`);
});
JS
cat > run.py <<'PY'
import json
from flatbuffers import flexbuffers
for index in range(5):
    print('py', json.dumps(flexbuffers.Loads(open(f'{index}.bin', 'rb').read()), separators=(',', ':')))
PY
{
  echo "flatbuffers $(node -p "JSON.parse(require('fs').readFileSync('node_modules/flatbuffers/package.json')).version") (npm) $(env/bin/python -c "import importlib.metadata as m; print(m.version('flatbuffers'))") (PyPI)"
  node run.cjs; env/bin/python run.py
} | tee out
diff out - <<'END'
flatbuffers 25.9.23 (npm) 25.12.19 (PyPI)
js {"a":1.5,"b":7} -> {"a":1.5,"b":7}
js {"lat":52.5,"id":12345678901} -> {"id":12345678901,"lat":5.49732125e-315}
js {"lat":52.5,"id":"12345678901"} -> {"id":"12345678901","lat":52.5}
js {"price":19.99,"id":12345678901} -> {"id":12345678901,"price":19.99}
js {"score":0.5,"at":1767225600123} -> {"at":1767225600123,"score":5.222099017e-315}
py {"a":1.5,"b":7}
py {"id":12345678901,"lat":5.49732125e-315}
py {"id":"12345678901","lat":52.5}
py {"id":12345678901,"price":19.99}
py {"at":1767225600123,"score":5.222099017e-315}
END
