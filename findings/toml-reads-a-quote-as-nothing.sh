#!/usr/bin/env bash
# toml 0.10.2 (PyPI), the reader and writer of TOML that many Python tools still use, against tomllib of Python.
# Behaviour: a string that is nothing but escaped quotes is read as an empty one, everywhere in a file. Names with spaces around their dot get the space and are
# other tables; lists of two kinds, valid for years, are errors. dumps() writes a backspace and a form feed as the letters 08x0c, None within a list
# as the text "None", and of tables in a list of lists the names alone.
# Seen:   a = "\"": '' / a . b = 1: {'a ': ...} / [1, "x"]: TomlDecodeError / dumps of "\b\f": 08x0c / of [[{"b": 1}]]: [[["b"]]]
# Expected by most: an old library is stricter than the standard, and does not read or write other values.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check toml==0.10.2
cat > run.py <<'PY'
import tomllib
import toml

for text in (r'a = "\""', r'a = ["\"", "b"]', r'a = "say \"hi\""', 'a . b = 1', 'a = [1, "x"]'):
    try:
        print(text, '->', toml.loads(text), 'tomllib', tomllib.loads(text))
    except toml.TomlDecodeError:
        print(text, '-> TomlDecodeError tomllib', tomllib.loads(text))
for value in ('\b\f', [1, None], [[{'b': 1}]]):
    print(repr(value), '->', tomllib.loads(toml.dumps({'a': value}))['a'])
PY
env/bin/python -c "import importlib.metadata as m; print('toml', m.version('toml'))"
env/bin/python run.py | tee out
diff out - <<'END'
a = "\"" -> {'a': ''} tomllib {'a': '"'}
a = ["\"", "b"] -> {'a': ['', 'b']} tomllib {'a': ['"', 'b']}
a = "say \"hi\"" -> {'a': 'say "hi"'} tomllib {'a': 'say "hi"'}
a . b = 1 -> {'a ': {'b': 1}} tomllib {'a': {'b': 1}}
a = [1, "x"] -> TomlDecodeError tomllib {'a': [1, 'x']}
'\x08\x0c' -> 08x0c
[1, None] -> [1, 'None']
[[{'b': 1}]] -> [[['b']]]
END
