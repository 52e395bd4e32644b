#!/usr/bin/env bash
# @bytecodealliance/jco 1.35.0 and preview2-shim 0.26.1 (npm), in Node 26.10.0 (npm package node); the component is made by componentize-py 0.25.1 (PyPI).
# Behaviour: a Python component that is given a folder can list it and read its files, but each opening for writing ends with "Not supported": the C library in
# the component asks for a right to change the folder with each file it opens to write, and the shim refuses that right. With that right taken out it writes, as such components do in wasmtime.
# Seen:   read: hello / write, append, r+: OSError 58 Not supported
# Expected by most: all done; both are the newest and of one project.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts @bytecodealliance/jco@1.35.0 @bytecodealliance/preview2-shim@0.26.1 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check componentize-py==0.25.1
mkdir wit
cat > wit/files.wit <<'WIT'
package test:files@0.1.0;
interface api { run: func(folder: string) -> list<string>; }
world files { export api; }
WIT
cat > app.py <<'PY'
import os


def put(name, mode):
    with open(name, mode) as file: return f'done, {file.write("text")} letters'


class Api:
    def run(self, folder):
        def said(what, call):
            try: return f'{what}: {call()}'
            except OSError as error: return f'{what}: {type(error).__name__} {error.errno} {error.strerror}'
        name = folder + '/given.txt'
        return [said('list', lambda: os.listdir(folder)), said('read', lambda: open(name).read()), said('write', lambda: put(folder + '/new.txt', 'w')),
                said('append', lambda: put(name, 'a')), said('r+', lambda: put(name, 'r+'))]
PY
env/bin/componentize-py -d wit -w files componentize app -o files.wasm > /dev/null
npx jco transpile files.wasm -o made --name files --quiet
echo '{"type":"module"}' > made/package.json
for folder in data data2; do mkdir $folder; printf hello > $folder/given.txt; done
cat > run.mjs <<'JS'
import { _setPreopens, types } from '@bytecodealliance/preview2-shim/filesystem';
_setPreopens({ '/data': 'data', '/data2': 'data2' });
const { api } = await import('./made/files.js');
for (const line of api.run('/data')) console.log('jco', line);
const open = types.Descriptor.prototype.openAt;
types.Descriptor.prototype.openAt = function (how, path, flags, rights) { return open.call(this, how, path, flags, { ...rights, mutateDirectory: false }); };
for (const line of api.run('/data2')) console.log('jco, right taken out:', line);
process.exit(0);
JS
node run.mjs | tee out
diff out - <<'END'
jco list: ['given.txt']
jco read: hello
jco write: OSError 58 Not supported
jco append: OSError 58 Not supported
jco r+: OSError 58 Not supported
jco, right taken out: list: ['given.txt']
jco, right taken out: read: hello
jco, right taken out: write: done, 4 letters
jco, right taken out: append: done, 4 letters
jco, right taken out: r+: done, 4 letters
END
