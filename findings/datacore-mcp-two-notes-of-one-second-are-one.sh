#!/usr/bin/env bash
# @datacore-one/mcp 2.1.0 (npm), an MCP server for a journal and notes, over stdio: datacore_capture.
# Behaviour: a note's file is named by its title and the time to the second. Two notes with one title that are captured within a second, as parallel calls of a model are, get one file: the second takes the place of the
# first, and both answers say "success" with the same path. Without a title the first words are the title, so two notes that begin alike do the same.
# Seen:   2 captures, 2 times success, 1 file, "Decision: no refunds" is gone
# Expected by most: two notes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @datacore-one/mcp@2.1.0
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
        lines = (json.loads(line) for line in self.process.stdout if line.startswith('{'))
        return next(message for message in lines if message.get('id') == self.last)['result']

    def text(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.ask('tools/call', {'name': tool, 'arguments': arguments})['content'])
PY
cat > run.py <<'PY'
import json
import os
import pathlib
import re
import time
from client import Server

server = Server('node', 'node_modules/@datacore-one/mcp/dist/index.js', env=dict(os.environ, HOME=os.getcwd(), DATACORE_PATH=os.getcwd() + '/Datacore'))


def begin():
    time.sleep(1.05 - time.time() % 1)


def capture(content, **more):
    answer = server.text('datacore_capture', type='knowledge', content=content, **more)
    return json.loads(answer[answer.rindex('{'):])


def show(what, *answers):
    files = sorted(set(answer['path'] for answer in answers))
    notes = [re.sub(r'(?s)^---.*?---', '', pathlib.Path(file).read_text()).strip() for file in files]
    print(f"{what}: success {[answer['success'] for answer in answers]}, {len(files)} file(s): {notes}")


capture('First of all', title='Start')
begin()
show('one title', capture('Decision: no refunds', title='Meeting'), capture('Next date: Friday', title='Meeting'))
begin()
one = capture('Decision: no refunds', title='Meeting')
begin()
show('a second later', one, capture('Next date: Friday', title='Meeting'))
begin()
show('two titles', capture('Decision: no refunds', title='Meeting, decision'), capture('Next date: Friday', title='Meeting, date'))
PY
echo "@datacore-one/mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@datacore-one/mcp/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
one title: success [True, True], 1 file(s): ['Next date: Friday']
a second later: success [True, True], 2 file(s): ['Decision: no refunds', 'Next date: Friday']
two titles: success [True, True], 2 file(s): ['Next date: Friday', 'Decision: no refunds']
END
