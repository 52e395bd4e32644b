#!/usr/bin/env bash
# wasmtime 50.0.1 (PyPI), a component as Python sees it; the component is made by componentize-py 0.25.1 (PyPI).
# Behaviour: a function with result<u32, string> gives 7 when all went well and the text 'no such page' when it failed: the bare error, in the place of the answer, nothing is
# raised and nothing marks it. With result<_, string> success is None and failure a text, with result<u32> failure is None. Only where both sides are of one Python type,
# or where one could be None, does it give a Variant with "ok" or "err". So the same code works for one function and takes errors for answers in the next.
# Seen:   result<u32, string>: 7 and 'no such page' / result<string, string>: Variant ok and Variant err / result<u32>: 7 and None
# Expected by most: an exception, or a Variant each time.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check wasmtime==50.0.1 componentize-py==0.25.1
mkdir wit
cat > wit/pages.wit <<'WIT'
package test:pages@0.1.0;
interface api {
  words: func(fails: bool) -> result<u32, string>;
  text: func(fails: bool) -> result<string, string>;
  bytes: func(fails: bool) -> result<list<u8>, string>;
  size: func(fails: bool) -> result<u32>;
  remove: func(fails: bool) -> result<_, string>;
  found: func(fails: bool) -> result<bool, u32>;
  plain: func(fails: bool) -> result;
}
world pages { export api; }
WIT
cat > app.py <<'PY'
from componentize_py_types import Err


def answer(good, bad):
    def call(self, fails):
        if fails: raise Err(bad)
        return good
    return call


class Api:
    words = answer(7, 'no such page')
    text = answer('seven', 'no such page')
    bytes = answer(b'seven', 'no such page')
    size = answer(7, None)
    remove = answer(None, 'no such page')
    found = answer(True, 404)
    plain = answer(None, None)
PY
env/bin/componentize-py -d wit -w pages componentize --stub-wasi app -o pages.wasm > /dev/null
cat > run.py <<'PY'
import importlib.metadata
from wasmtime import Engine, Store, component

print('wasmtime', importlib.metadata.version('wasmtime'))
engine = Engine()
store = Store(engine)
instance = component.Linker(engine).instantiate(store, component.Component.from_file(engine, 'pages.wasm'))
api = instance.get_export_index(store, 'test:pages/api@0.1.0')
for name in ('words', 'text', 'bytes', 'size', 'remove', 'found', 'plain'):
    call = instance.get_func(store, instance.get_export_index(store, name, api))
    answers = [call(store, fails) for fails in (False, True)]
    print(f'{name}: good {answers[0]!r}, failed {answers[1]!r}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
wasmtime 50.0.1
words: good 7, failed 'no such page'
text: good Variant(tag='ok', payload='seven'), failed Variant(tag='err', payload='no such page')
bytes: good b'seven', failed 'no such page'
size: good 7, failed None
remove: good None, failed 'no such page'
found: good True, failed 404
plain: good Variant(tag='ok', payload=None), failed Variant(tag='err', payload=None)
END
