#!/usr/bin/env bash
# @extism/extism 1.0.3 (npm) in Node and extism 1.1.1 (PyPI), one plugin of WebAssembly in both; wabt 1.0.39 (npm) makes it.
# Behaviour: a plugin's function answers 0 for done and something else for failed. The JavaScript host does not look at that number: a call that ends with 1 and
# no words gives null, as a call without output does, and one that had already written something gives what it wrote. Python's host throws.
# Seen:   fail: null in JavaScript, an error in Python / write_and_fail: "hi" in JavaScript, an error in Python
# Expected by most: an error in both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @extism/extism@1.0.3 wabt@1.0.39
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check extism==1.1.1 extism-sys==1.41.0
cat > plugin.wat <<'WAT'
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (import "extism:host/env" "output_set" (func $output (param i64 i64)))
  (import "extism:host/env" "error_set" (func $error (param i64)))
  (func $words (result i64) (local $block i64)
    (local.set $block (call $alloc (i64.const 2)))
    (call $store (local.get $block) (i32.const 104))
    (call $store (i64.add (local.get $block) (i64.const 1)) (i32.const 105))
    (local.get $block))
  (func (export "write") (result i32) (call $output (call $words) (i64.const 2)) (i32.const 0))
  (func (export "write_and_fail") (result i32) (call $output (call $words) (i64.const 2)) (i32.const 1))
  (func (export "fail") (result i32) (i32.const 1))
  (func (export "fail_with_words") (result i32) (call $error (call $words)) (i32.const 1)))
WAT
cat > run.mjs <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';
import createPlugin from '@extism/extism';
console.log('@extism/extism', JSON.parse(readFileSync('node_modules/@extism/extism/package.json')).version);
const wasm = (await wabt()).parseWat('plugin.wat', readFileSync('plugin.wat', 'utf8')).toBinary({}).buffer;
writeFileSync('plugin.wasm', wasm);
const plugin = await createPlugin({ wasm: [{ data: new Uint8Array(wasm) }] });
for (const name of ['write', 'fail', 'write_and_fail', 'fail_with_words']) {
  let seen;
  try { const answer = await plugin.call(name); seen = answer ? JSON.stringify(answer.text()) : 'null'; } catch { seen = 'an error'; }
  console.log('JavaScript, ' + name + ': ' + seen);
}
await plugin.close();
JS
cat > run.py <<'PY'
import importlib.metadata
import extism

print('extism', importlib.metadata.version('extism'))
with extism.Plugin(open('plugin.wasm', 'rb').read()) as plugin:
    for name in ('write', 'fail', 'write_and_fail', 'fail_with_words'):
        try:
            seen = repr(bytes(plugin.call(name, b'')))
        except extism.Error:
            seen = 'an error'
        print(f'Python, {name}: {seen}')
PY
(NODE_NO_WARNINGS=1 node run.mjs; env/bin/python run.py) | tee out
diff out - <<'END'
@extism/extism 1.0.3
JavaScript, write: "hi"
JavaScript, fail: null
JavaScript, write_and_fail: "hi"
JavaScript, fail_with_words: an error
extism 1.1.1
Python, write: b'hi'
Python, fail: an error
Python, write_and_fail: an error
Python, fail_with_words: an error
END
