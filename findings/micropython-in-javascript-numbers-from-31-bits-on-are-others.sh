#!/usr/bin/env bash
# @micropython/micropython-webassembly-pyscript 1.27.0 (npm), values read from and given to MicroPython in Node.
# Behaviour: Python counts with whole numbers of any size, but on the way to JavaScript only 32 bits are left, without an error: 2**31 is
# -2147483648, 2**53 is 0, a time in milliseconds is negative or small. On the way in it is the same: 1772359200000 of JavaScript is another
# number in Python. Numbers with a fraction, and float(), are right both ways.
# Seen:   3000000000 -> -1294967296, 2**53 -> 0, ms 1772359200000 -> another, in and out
# Expected by most: exact up to 2**53, as with Pyodide.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @micropython/micropython-webassembly-pyscript@1.27.0
cat > run.mjs <<'JS'
import fs from 'fs';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
console.log('micropython', JSON.parse(fs.readFileSync('node_modules/@micropython/micropython-webassembly-pyscript/package.json')).version);
const lines = [];
const python = await loadMicroPython({ stdout: line => lines.push(line) });
const said = code => { lines.length = 0; python.runPython(code); return lines.join(' '); };
console.log('from Python to JavaScript');
for (const value of ['2**30', '2**31', '3000000000', '2**53', '1772359200000', 'float(1772359200000)', '0.5']) {
  const inPython = said('x = ' + value + '\nprint(x)');
  console.log('  ', value, '| Python', inPython, '| JavaScript', python.globals.get('x'));
}
console.log('through JSON', said('import json\nprint(json.dumps([3000000000]))'));
console.log('from JavaScript to Python');
for (const value of [2 ** 30, 2 ** 31, 3000000000, 2 ** 53, 1772359200000, 1772359200000.5]) {
  python.globals.set('y', value);
  console.log('  ', value, '|', said('print(y, y + 1)'));
}
JS
node run.mjs | tee out
diff out - <<'END'
micropython 1.27.0
from Python to JavaScript
   2**30 | Python 1073741824 | JavaScript 1073741824
   2**31 | Python 2147483648 | JavaScript -2147483648
   3000000000 | Python 3000000000 | JavaScript -1294967296
   2**53 | Python 9007199254740992 | JavaScript 0
   1772359200000 | Python 1772359200000 | JavaScript -1462293248
   float(1772359200000) | Python 1772359200000.0 | JavaScript 1772359200000
   0.5 | Python 0.5 | JavaScript 0.5
through JSON [3000000000]
from JavaScript to Python
   1073741824 | 1073741824 1073741825
   2147483648 | -2147483648 -2147483647
   3000000000 | -1294967296 -1294967295
   9007199254740992 | 0 1
   1772359200000 | -1462293248 -1462293247
   1772359200000.5 | 1772359200000.5 1772359200001.5
END
