#!/usr/bin/env bash
# pyodide 314.0.7 (npm), Python in WebAssembly, run in Node 26.10.0 (npm package node), values that go in and out as its guide shows it.
# Behaviour: a null of JavaScript is not None: it is a value of its own (jsnull), for which `is None` is False; to_py() leaves it in lists and objects. Only
# json.dumps writes null for it. The other way, None is undefined, so JSON.stringify leaves the field of a result out, and makes a null of it in a
# list. A whole number of 2**53 or more comes in as a float (1e16), and goes out as a BigInt, which JSON.stringify refuses. True as a key is "true".
# Seen:   {"a": null}: {'a': jsnull}, is None: False / {"a": None, "b": 1} as JSON: {"b":1} / 10**16 from JavaScript: 1e+16, a float
# Expected by most: null is None, and None is null.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts pyodide@314.0.7 2> /dev/null
cat > run.mjs <<'JS'
import { loadPyodide } from 'pyodide';
const python = await loadPyodide();
const line = (name, make) => {
  let value;
  try { value = make(); } catch (error) { value = error.message.trim().split('\n').at(-1); }
  console.log(`${name}: ${value}`);
};
const within = (value, code) => { python.globals.set('value', value); return python.runPython(code); };
const answer = { id: 7, name: null, parts: [null, 1] };
line('into Python', () => within(answer, 'repr(value.to_py())'));
line('name is None', () => within(answer, 'value.to_py()["name"] is None'));
line('json.dumps', () => within(answer, 'import json; json.dumps(value.to_py())'));
line('10**16 into Python', () => within(10 ** 16, 'repr(value)'));
const json = (code) => JSON.stringify(python.runPython(code).toJs({ dict_converter: Object.fromEntries }));
line('{"a": None, "b": 1} out', () => json('{"a": None, "b": 1}'));
line('[None, 1] out', () => json('[None, 1]'));
line('{"size": 2**53} out', () => json('{"size": 2**53}'));
line('{True: 1} out', () => json('{True: 1}'));
JS
echo "pyodide $(node -p "JSON.parse(require('fs').readFileSync('node_modules/pyodide/package.json')).version") on Node $(node -p process.version)"
node run.mjs | tee out
diff out - <<'END'
into Python: {'id': 7, 'name': jsnull, 'parts': [jsnull, 1]}
name is None: false
json.dumps: {"id": 7, "name": null, "parts": [null, 1]}
10**16 into Python: 1e+16
{"a": None, "b": 1} out: {"b":1}
[None, 1] out: [null,1]
{"size": 2**53} out: Do not know how to serialize a BigInt
{True: 1} out: {"true":1}
END
