#!/usr/bin/env bash
# todo-mcp-server-kit 0.2.0 (PyPI), an MCP server for a list of todos in a Markdown file, with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: a new todo takes the number of the last one that was removed. An agent that noted "3 is the old invoice" marks another thing done. Of a text with a line break the answer to
# add_todo shows both lines and the file gets them, but each later read shows the first line alone; with the next change of any todo the second is gone from the file too.
# Seen:   3 removed, next add: 3 / "Call the bank\nask for Ann": read back "Call the bank"
# Expected by most: the next number is 4; a text comes back as it was sent, or is refused.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check todo-mcp-server-kit==0.2.0 mcp==1.30.0
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

server = Server(os.path.abspath('env/bin/todo-mcp-server-kit'), env=dict(os.environ, HOME=os.getcwd()))


def add(text):
    made = json.loads(server.text('add_todo', text=text))
    print('added', made['id'], json.dumps(made['text']))


def show(when):
    blocks = server.ask('tools/call', {'name': 'search_todos', 'arguments': {}})['content']
    todos = [json.loads(block['text']) for block in blocks]
    print(when + ':', '; '.join(f"{todo['id']} {todo['text']!r} {'done' if todo['done'] else 'open'}" for todo in todos))


add('Pay the rent')
add('Write to Bob')
add('Cancel the old invoice')
print('removed', json.loads(server.text('remove_todo', id=3))['text'])
add('Pay the new invoice')
server.text('mark_done', id=3)
show('after "3 is done"')
add('Call the bank\nask for Ann')
show('read again')
server.text('mark_done', id=1)
print('in the file after the next change:', [line for line in open('.claude/todos.md').read().split('\n') if 'bank' in line or 'Ann' in line])
PY
echo "todo-mcp-server-kit $(env/bin/python -c "import importlib.metadata as m; print(m.version('todo-mcp-server-kit'))")"
python3 run.py | tee out
diff out - <<'END'
added 1 "Pay the rent"
added 2 "Write to Bob"
added 3 "Cancel the old invoice"
removed Cancel the old invoice
added 3 "Pay the new invoice"
after "3 is done": 1 'Pay the rent' open; 2 'Write to Bob' open; 3 'Pay the new invoice' done
added 4 "Call the bank\nask for Ann"
read again: 1 'Pay the rent' open; 2 'Write to Bob' open; 3 'Pay the new invoice' done; 4 'Call the bank' open
in the file after the next change: ['- [ ] #4 [med] Call the bank']
END
