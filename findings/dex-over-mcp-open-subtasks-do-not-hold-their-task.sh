#!/usr/bin/env bash
# @zeeg/dex 0.16.0 (npm), a list of tasks for agents: its command, and the same list through `dex mcp`.
# Behaviour: what the command refuses, the server does. `dex complete` of a task with an open subtask is an error that asks for --force; update_task with completed: true
# completes it. `dex delete` asks first, since subtasks go too; update_task with delete: true takes the open subtask along at once and says nothing of it: the
# answer has the parent alone, with no children. A subtask that was completed and is opened again keeps its old result.
# Seen:   command: "Cannot complete task with 1 incomplete subtask(s)" / server: completed true / delete: the list is empty, answer "children": []
# Expected by most: one rule for both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @zeeg/dex@0.16.0
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
import subprocess
from client import Server

home = dict(os.environ, HOME=os.getcwd())
server = Server('node_modules/.bin/dex', 'mcp', env=home)


def make(**more):
    return json.loads(server.text('create_task', description='as agreed', **more))['id']


parent = make(name='Sell the house')
child = make(name='Ask the owner', parent_id=parent)
said = subprocess.run(['node_modules/.bin/dex', 'complete', parent, '--result', 'sold', '--no-commit'], env=home, capture_output=True, text=True)
print('command, complete:', said.stderr.split('\n')[0])
print('server, complete:', json.loads(server.text('update_task', id=parent, completed=True, result='sold'))['completed'])
print('open:', [task['name'] for task in json.loads(server.text('list_tasks'))])
server.text('update_task', id=child, completed=True, result='the owner agrees')
again = json.loads(server.text('update_task', id=child, completed=False))
print('subtask opened again:', again['completed'], again['result'])
answer = json.loads(server.text('update_task', id=parent, delete=True))
print('server, delete:', answer['deleted'], answer['task']['name'], answer['task']['children'])
print('all tasks:', json.loads(server.text('list_tasks', all=True)))
PY
echo "@zeeg/dex $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@zeeg/dex/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
command, complete: Error: Cannot complete task with 1 incomplete subtask(s):
server, complete: True
open: ['Ask the owner']
subtask opened again: False the owner agrees
server, delete: True Sell the house []
all tasks: []
END
