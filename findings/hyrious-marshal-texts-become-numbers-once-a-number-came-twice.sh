#!/usr/bin/env bash
# @hyrious/marshal 0.3.4 (npm), which writes and reads Ruby's Marshal format in JavaScript; rubymarshal 1.2.10 (PyPI) reads the same bytes.
# Behaviour: a text that was written before is written as a reference to its number in the list of objects. A fraction, or an integer of 31 bits and more, counts in that list for every reader each time that it occurs,
# but for this writer only the first time. So once such a number came twice, each repeated text behind it points at something earlier: at the number, or at another text. Nothing fails.
# Seen:   [1.5, 1.5, "a", "a"]: [1.5, 1.5, "a", 1.5] / three orders of 9.99 from ann, bob, bob: the third is from "name" / with 9.99, 8.99 and 7.99: right
# Expected by most: the same values.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @hyrious/marshal@0.3.4
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rubymarshal==1.2.10
cat > run.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { dump, load } from '@hyrious/marshal';
const orders = (...rows) => rows.map(([price, name]) => ({ price, name }));
[
  [1.5, 1.5, 'a', 'a'],
  orders([9.99, 'ann'], [9.99, 'bob'], [9.99, 'bob']),
  orders([9.99, 'ann'], [8.99, 'bob'], [7.99, 'bob']),
  orders([9, 'ann'], [9, 'bob'], [9, 'bob']),
  [1700000000000, 'open', 1700000000000, 'done', 'open', 'done'],
].forEach((value, index) => {
  const bytes = dump(value);
  writeFileSync(`${index}.bin`, bytes);
  console.log(JSON.stringify(value), 'read again:', JSON.stringify(load(bytes)));
});
JS
cat > run.py <<'PY'
from rubymarshal.reader import load
for index in range(5):
    with open(f'{index}.bin', 'rb') as file:
        print('rubymarshal:', load(file))
PY
echo "@hyrious/marshal $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@hyrious/marshal/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
[1.5,1.5,"a","a"] read again: [1.5,1.5,"a",1.5]
[{"price":9.99,"name":"ann"},{"price":9.99,"name":"bob"},{"price":9.99,"name":"bob"}] read again: [{"price":9.99,"name":"ann"},{"price":9.99,"name":"bob"},{"price":9.99,"name":9.99}]
[{"price":9.99,"name":"ann"},{"price":8.99,"name":"bob"},{"price":7.99,"name":"bob"}] read again: [{"price":9.99,"name":"ann"},{"price":8.99,"name":"bob"},{"price":7.99,"name":"bob"}]
[{"price":9,"name":"ann"},{"price":9,"name":"bob"},{"price":9,"name":"bob"}] read again: [{"price":9,"name":"ann"},{"price":9,"name":"bob"},{"price":9,"name":"bob"}]
[1700000000000,"open",1700000000000,"done","open","done"] read again: [1700000000000,"open",1700000000000,"done","open",1700000000000]
rubymarshal: [1.5, 1.5, 'a', 1.5]
rubymarshal: [{'price': 9.99, 'name': 'ann'}, {'price': 9.99, 'name': 'bob'}, {'price': 9.99, 'name': 9.99}]
rubymarshal: [{'price': 9.99, 'name': 'ann'}, {'price': 8.99, 'name': 'bob'}, {'price': 7.99, 'name': 'bob'}]
rubymarshal: [{'price': 9, 'name': 'ann'}, {'price': 9, 'name': 'bob'}, {'price': 9, 'name': 'bob'}]
rubymarshal: [1700000000000, 'open', 1700000000000, 'done', 'open', 1700000000000]
END
