#!/usr/bin/env bash
# smriti-mcp 0.1.5 (PyPI), over stdio: remember and search_memory, with the notes in a folder of this machine.
# Behaviour: the search goes over the whole file of a note, with the names of the fields that the server itself writes at its head. So "confidence", "description", "category"
# or "timestamp" finds every note, and gives it as many points as a word of a text gets, or more. And remember, which is to add a fact to the note of the same title,
# fails with a bare "Error executing tool remember" as soon as there is a second note whose title begins alike, although the title that is given is exactly that of one.
# Seen:   4 notes: "description": 4, 20.0 points each / "Friday": 1, 3.7 points / remember "Database" again: append; with a note "Database tests" beside it: error
# Expected by most: no note has these words; the fact is appended to the note of that title.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check smriti-mcp==0.1.5
cat > client.py <<'PY'
import json
import subprocess


class Server:
    def __init__(self, *command, **more):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, **more)
        self.last = 0
        self.ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
        print('{"jsonrpc": "2.0", "method": "notifications/initialized"}', file=self.process.stdin, flush=True)

    def ask(self, method, params):
        self.last += 1
        print(json.dumps({'jsonrpc': '2.0', 'id': self.last, 'method': method, 'params': params}), file=self.process.stdin, flush=True)
        return next(message for message in map(json.loads, self.process.stdout) if message.get('id') == self.last)['result']

    def text(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.ask('tools/call', {'name': tool, 'arguments': arguments})['content'])
PY
cat > run.py <<'PY'
import json
import os
from client import Server

server = Server('env/bin/smriti-mcp', env=dict(os.environ, HOME=os.getcwd()))


def remember(title, text):
    said = server.text('remember', content=text, title=title)
    print('remember', title + ':', json.loads(said)['action'] if said.startswith('{') else said)


for title, text in [('Database', 'The port is 5432.'), ('House', 'We paint on Friday.'), ('Statistics', 'Each mean has an interval.'), ('Travel', 'Ann books the trains.')]:
    remember(title, text)
for query in ('confidence', 'description', 'category', 'timestamp', 'Friday', 'interval', 'intervals'):
    found = json.loads(server.text('search_memory', query=query))['results']
    print(f'{query}:', ', '.join(sorted(f"{note['title']} {note['score']:.1f}" for note in found)) or 'nothing')
remember('Database', 'Its host is db1.')
remember('Database tests', 'They use the port 6543.')
remember('Database', 'Its user is ann.')
PY
echo "smriti-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('smriti-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
remember Database: create
remember House: create
remember Statistics: create
remember Travel: create
confidence: Database 20.0, House 20.0, Statistics 20.0, Travel 20.0
description: Database 20.0, House 20.0, Statistics 20.0, Travel 20.0
category: Database 20.0, House 20.0, Statistics 20.0, Travel 20.0
timestamp: Database 20.0, House 20.0, Statistics 20.0, Travel 20.0
Friday: House 3.7
interval: Statistics 23.7
intervals: nothing
remember Database: append
remember Database tests: create
remember Database: Error executing tool remember
END
