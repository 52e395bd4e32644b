#!/usr/bin/env bash
# chompjs 1.4.1 (PyPI), which reads the data that pages hold in their scripts into Python.
# Behaviour: it is no evaluator, and does not say so. What minifiers write for true and false, !0 and !1, and for undefined, void 0, comes back as a text, and
# each of these texts counts as true. A function, a date, a member of another variable are texts too, and a template loses its backquotes and keeps ${..}. On
# the other hand "\x41", which is a valid escape in JavaScript, a short property {a} and a sum are errors, and of two variables only the first is there.
# Seen:   {open: !0, done: !1}: {'open': '!0', 'done': '!1'} / bool of done: True / {a: void 0}: 'void 0' / {a: 010}: 8 / {a: "\x41"}: JSONDecodeError
# Expected by most: True and False, or an error for what is an expression.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check chompjs==1.4.1
cat > run.py <<'PY'
import importlib.metadata
import chompjs

print('chompjs', importlib.metadata.version('chompjs'))
for text in [
    'var state = {open: !0, done: !1}',
    '{a: void 0}',
    '{a: undefined}',
    '{a: new Date(2020)}',
    '{a: settings.name}',
    '{a: `x ${y}`}',
    '{a: +1}',
    '{a: 010, b: 0x1F, c: 1_000}',
    '{a: "\\x41"}',
    '{a, b}',
    '{a: 60 * 1000}',
    'var one = [1]; var two = [2];',
]:
    try:
        said = repr(chompjs.parse_js_object(text))
    except Exception as error:
        said = type(error).__name__
    print(text + ' -> ' + said)
print('done:', bool(chompjs.parse_js_object('{open: !0, done: !1}')['done']))
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
var state = {open: !0, done: !1} -> {'open': '!0', 'done': '!1'}
{a: void 0} -> {'a': 'void 0'}
{a: undefined} -> {'a': 'undefined'}
{a: new Date(2020)} -> {'a': 'new Date(2020)'}
{a: settings.name} -> {'a': 'settings.name'}
{a: `x ${y}`} -> {'a': 'x ${y}'}
{a: +1} -> {'a': '+1'}
{a: 010, b: 0x1F, c: 1_000} -> {'a': 8, 'b': 31, 'c': 1000}
{a: "\x41"} -> JSONDecodeError
{a, b} -> JSONDecodeError
{a: 60 * 1000} -> JSONDecodeError
var one = [1]; var two = [2]; -> [1]
done: True
END
