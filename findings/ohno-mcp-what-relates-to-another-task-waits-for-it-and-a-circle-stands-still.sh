#!/usr/bin/env bash
# @stevestomp/ohno-mcp 0.20.0 (npm), a board of tasks for agents, over stdio.
# Behaviour: of the three kinds of dependency, "relates_to" holds a task back just as "blocks" does: it is not offered as long as the other is not done or archived. A circle of
# dependencies is taken without an error, and then none of its tasks is ever offered: get_next_task says that there are no tasks, get_blocked_tasks that none is blocked, and
# the project's status that three are to be done.
# Seen:   3 tasks, one relates to another: 2 offered / circle: "No tasks available", blocked 0, to do 3
# Expected by most: a relation is only told; a circle is refused, or its tasks are shown as blocked.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @stevestomp/ohno-mcp@0.20.0
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

server = Server('node_modules/.bin/ohno-mcp', env=dict(os.environ, OHNO_DB_PATH=os.path.abspath('tasks.db')))


def ask(name, **arguments):
    return json.loads(server.text(name, **arguments))


def show(when):
    print(when + ': offered', len(ask('get_next_batch', batch_size=5)['tasks']), '/ next', ask('get_next_task').get('message', 'a task'),
          '/ blocked', len(ask('get_blocked_tasks')['tasks']), '/ to do', ask('get_project_status')['todo_tasks'])


paint, buy, read = (ask('create_task', title=title)['task_id'] for title in ('Paint', 'Buy paint', 'Read about paint'))
show('no dependency')
ask('add_dependency', task_id=paint, depends_on_task_id=read, dependency_type='relates_to')
show('paint relates to read')
print('buy needs paint:', ask('add_dependency', task_id=buy, depends_on_task_id=paint)['success'])
print('read needs buy:', ask('add_dependency', task_id=read, depends_on_task_id=buy)['success'])
show('in a circle')
PY
echo "@stevestomp/ohno-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@stevestomp/ohno-mcp/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
no dependency: offered 3 / next a task / blocked 0 / to do 3
paint relates to read: offered 2 / next a task / blocked 0 / to do 3
buy needs paint: True
read needs buy: True
in a circle: offered 0 / next No tasks available / blocked 0 / to do 3
END
