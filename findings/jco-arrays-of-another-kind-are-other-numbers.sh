#!/usr/bin/env bash
# @bytecodealliance/jco 1.35.0 (npm), jco transpile, in Node 26.10.0 (npm package node); the component is made by componentize-py 0.25.1 (PyPI) and gives back what it gets.
# Behaviour: a typed array that is not of the kind of the list is neither refused nor converted: its bytes are taken for numbers. A Float64Array for list<f32>
# comes as the first half of its bytes, so 1.5 is 0, and an Int32Array as tiny fractions; a Uint16Array for list<u8> is twice as long. A plain array of the same numbers is right.
# A flag that the type does not have, a flag in its own spelling with a hyphen, and a list of flags are all "no flag". A second letter of a char is dropped. A Map or
# an object for a list of pairs is an empty list.
# Seen:   Float64Array [1.5, 2] for list<f32>: 0 1.9375 / flags {"exec-all": true}: none / ["read"]: none / char "ab": "a" / Map for list<tuple>: 0 pairs
# Expected by most: the same numbers, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts @bytecodealliance/jco@1.35.0 @bytecodealliance/preview2-shim@0.26.1 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check componentize-py==0.25.1
mkdir wit
cat > wit/echo.wit <<'WIT'
package test:echo@0.1.0;
interface api {
  flags rights { read, write, exec-all }
  floats: func(value: list<f32>) -> list<f32>;
  doubles: func(value: list<f64>) -> list<f64>;
  bytes: func(value: list<u8>) -> list<u8>;
  flagged: func(value: rights) -> rights;
  letter: func(value: char) -> char;
  pairs: func(value: list<tuple<string, u32>>) -> u32;
}
world echo { export api; }
WIT
cat > app.py <<'PY'
class Api:
    def floats(self, value): return value
    def doubles(self, value): return value
    def bytes(self, value): return value
    def flagged(self, value): return value
    def letter(self, value): return value
    def pairs(self, value): return len(value)
PY
env/bin/componentize-py -d wit -w echo componentize --stub-wasi app -o echo.wasm > /dev/null
npx jco transpile echo.wasm -o made --name echo --quiet
echo '{"type":"module"}' > made/package.json
cat > run.mjs <<'JS'
import { api } from './made/echo.js';
const tried = [
  ['floats', [1.5, 2]], ['floats', new Float32Array([1.5, 2])], ['floats', new Float64Array([1.5, 2])], ['floats', new Int32Array([1, 2])],
  ['doubles', new Float64Array([1.5, 2])], ['doubles', new Float32Array([1.5, 2])], ['bytes', new Uint16Array([1, 2])],
  ['flagged', { read: true }], ['flagged', { execAll: true }], ['flagged', { 'exec-all': true }], ['flagged', ['read']], ['flagged', { reed: true }],
  ['letter', 'ab'], ['pairs', [['a', 1]]], ['pairs', new Map([['a', 1]])], ['pairs', { a: 1 }],
];
for (const [name, value] of tried) {
  let got;
  try { got = api[name](value); } catch (error) { got = `${error.name}: ${error.message}`; }
  if (name === 'flagged') got = Object.keys(got).filter((key) => got[key]).join() || 'none';
  const kind = value.constructor.name;
  const shown = value instanceof Map ? JSON.stringify([...value]) : ArrayBuffer.isView(value) ? `[${value}]` : JSON.stringify(value);
  console.log(`${name} ${kind} ${shown}: ${ArrayBuffer.isView(got) ? [...got].join(' ') : got}`);
}
JS
echo "jco $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@bytecodealliance/jco/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
floats Array [1.5,2]: 1.5 2
floats Float32Array [1.5,2]: 1.5 2
floats Float64Array [1.5,2]: 0 1.9375
floats Int32Array [1,2]: 1.401298464324817e-45 2.802596928649634e-45
doubles Float64Array [1.5,2]: 1.5 2
doubles Float32Array [1.5,2]: RangeError: Invalid typed array length: 16
bytes Uint16Array [1,2]: 1 0 2 0
flagged Object {"read":true}: read
flagged Object {"execAll":true}: execAll
flagged Object {"exec-all":true}: none
flagged Array ["read"]: none
flagged Object {"reed":true}: none
letter String "ab": a
pairs Array [["a",1]]: 1
pairs Map [["a",1]]: 0
pairs Object {"a":1}: 0
END
