#!/usr/bin/env bash
# componentize-py 0.25.1 (PyPI), Python in a component, run by wasmtime 50.0.1 (PyPI) with a real folder.
# Behaviour: a file opened with "a+" gives nothing when it is read, also after seek(0): the usual way to look at what is there and add a line finds an empty file each time.
# What is written does arrive. With "r+" and no buffer a read after a write begins where the write began, not behind it, so the bytes that were just written are read
# again, also after seek(tell()). Python outside of the component reads all of it right; "r+" is right in both.
# Seen:   a+, seek(0), read: '' / r+ of 12345, read 2, write X, read: X45
# Expected by most: the text of the file, and 45.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check wasmtime==50.0.1 componentize-py==0.25.1
mkdir wit data
cat > wit/files.wit <<'WIT'
package test:files@0.1.0;
interface api { run: func(folder: string) -> list<string>; }
world files { export api; }
WIT
cat > app.py <<'PY'
class Api:
    def run(self, folder):
        said, name = [], folder + '/notes.txt'
        with open(name, 'w') as file: file.write('one')
        with open(name, 'a+') as file:
            file.seek(0)
            said.append('a+, read from the start: ' + repr(file.read()))
            file.write(' two')
            file.seek(0)
            said.append('a+, the same after writing: ' + repr(file.read()))
        with open(name) as file: said.append('opened again: ' + repr(file.read()))
        with open(name, 'r+') as file:
            before = file.read()
            file.write(' three')
            file.seek(0)
            said.append('r+ instead: ' + repr(before) + ', then ' + repr(file.read()))
        with open(name, 'wb') as file: file.write(b'12345')
        for seeks in (False, True):
            with open(name, 'r+b', 0) as file:
                file.read(2)
                file.write(b'X')
                if seeks: file.seek(file.tell())
                said.append(f'r+ without a buffer, seek {seeks}: ' + repr(file.read()))
        return said
PY
env/bin/componentize-py -d wit -w files componentize app -o files.wasm > /dev/null
cat > run.py <<'PY'
import importlib.metadata
import app
from wasmtime import Engine, Store, WasiConfig, component
print('componentize-py', importlib.metadata.version('componentize-py') + ', wasmtime', importlib.metadata.version('wasmtime'))
engine, config = Engine(), WasiConfig()
store = Store(engine)
config.preopen_dir('data', '/data')
store.set_wasi(config)
linker = component.Linker(engine)
linker.add_wasip2()
instance = linker.instantiate(store, component.Component.from_file(engine, 'files.wasm'))
api = instance.get_export_index(store, 'test:files/api@0.1.0')
inside = instance.get_func(store, instance.get_export_index(store, 'run', api))(store, '/data')
for within, outside in zip(inside, app.Api().run('data')):
    print(within if within == outside else f'{within} (Python outside: {outside.split(": ")[1]})')
PY
env/bin/python run.py | tee out
diff out - <<'END'
componentize-py 0.25.1, wasmtime 50.0.1
a+, read from the start: '' (Python outside: 'one')
a+, the same after writing: '' (Python outside: 'one two')
opened again: 'one two'
r+ instead: 'one two', then 'one two three'
r+ without a buffer, seek False: b'X45' (Python outside: b'45')
r+ without a buffer, seek True: b'X45' (Python outside: b'45')
END
