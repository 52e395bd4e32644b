#!/usr/bin/env bash
# PyPI diffchunk 0.2.0 with mcp 1.30.0, an MCP server for reading large diffs, asked over stdio, on a diff that git writes.
# Behaviour: what counts as a generated file is found by parts of the path. Hand-written sources are left out: orders.mapper.ts (".map"), row.locking.py (".lock"),
# src/rebuild/plan.py ("build/"). A pure rename, a new mode and a changed picture count as whitespace-only and are left out as well, and so is an SQL file of
# which comment lines were removed, since "--- ..." is taken for a head. list_chunks has no word of them, load_diff says "files_excluded": 0, and
# get_file_diff says that the file was not found in the diff.
# Seen:   of 8 changed files 1 is listed, files_excluded 0 / "No file matching 'src/orders.mapper.ts' found in diff."
# Expected by most: all but lock files and changes of spaces, and the number of those left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check diffchunk==0.2.0 mcp==1.30.0
git init --quiet repo; cd repo; git config user.email me@example.com; git config user.name me
mkdir -p src/rebuild db
for file in src/orders.mapper.ts src/row.locking.py src/rebuild/plan.py src/plain.py src/old.py run.sh; do seq 20 > "$file"; done
printf -- '-- the old limit\nselect 1;\n-- end\n' > db/limit.sql; printf 'a\0b' > logo.png
git add .; git commit --quiet -m first
for file in src/orders.mapper.ts src/row.locking.py src/rebuild/plan.py src/plain.py; do sed -i 's/^7$/seven/' "$file"; done
git mv src/old.py src/new.py; chmod +x run.sh; printf 'select 1;\n' > db/limit.sql; printf 'a\0c' > logo.png
git add .; git commit --quiet -m second; git diff HEAD~1 > ../change.diff; cd ..
cat > run.py <<'PY'
import json
import os
import re
import subprocess

server = subprocess.Popen(['env/bin/diffchunk-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == number:
            return json.loads(line)['result']


def call(name, **values):
    return ask('tools/call', {'name': name, 'arguments': {'absolute_file_path': os.getcwd() + '/change.diff', **values}})['content'][0]['text']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
names = re.findall(r'^diff --git a/\S+ b/(\S+)', open('change.diff').read(), re.M)
print(f'changed: {len(names)}:', *names)
listed = json.loads(call('list_chunks'))
print('list_chunks:', *(file for chunk in listed['chunks'] for file in chunk['files']), '| other fields:', *(key for key in listed if key != 'chunks'))
loaded = json.loads(call('load_diff'))
print('load_diff: files', loaded['files'], 'files_excluded', loaded['files_excluded'])
for name in names:
    print(f'{name}:', call('get_file_diff', file_path=name).split('\n')[0].split(' Available')[0])
wanted = json.loads(call('load_diff', skip_generated=False, skip_trivial=False))
print('nothing skipped: files', wanted['files'])
server.kill()
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('diffchunk', 'mcp')))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
changed: 8: db/limit.sql logo.png run.sh src/new.py src/orders.mapper.ts src/plain.py src/rebuild/plan.py src/row.locking.py
list_chunks: src/plain.py | other fields: total_token_count
load_diff: files 1 files_excluded 0
db/limit.sql: Error executing tool get_file_diff: No file matching 'db/limit.sql' found in diff.
logo.png: Error executing tool get_file_diff: No file matching 'logo.png' found in diff.
run.sh: Error executing tool get_file_diff: No file matching 'run.sh' found in diff.
src/new.py: Error executing tool get_file_diff: No file matching 'src/new.py' found in diff.
src/orders.mapper.ts: Error executing tool get_file_diff: No file matching 'src/orders.mapper.ts' found in diff.
src/plain.py: diff --git a/src/plain.py b/src/plain.py
src/rebuild/plan.py: Error executing tool get_file_diff: No file matching 'src/rebuild/plan.py' found in diff.
src/row.locking.py: Error executing tool get_file_diff: No file matching 'src/row.locking.py' found in diff.
nothing skipped: files 9
END
