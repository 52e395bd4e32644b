#!/usr/bin/env bash
# md-todo-hub 0.3.2 (PyPI), an MCP server over todos in Markdown files, with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: an item of a checklist has its line number for an id. When a line is added above, the id that the agent was shown is the id of another item: update_status marks that one done in the file. Without a new scan
# the index then says that the first one is done, so that file and index name different tasks as done; get_recent_changes names the id alone. A box in a code block counts as an open task.
# Seen:   shown: A-plan-md-2 Cancel the lease / after a line above, A-plan-md-2 done: file "[x] Pay the rent", index without "Cancel the lease"
# Expected by most: the item that was shown, or an answer that it has moved.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check md-todo-hub==0.3.2 mcp==1.30.0
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
import pathlib
from client import Server

home = pathlib.Path.cwd()
(home / 'project' / 'docs').mkdir(parents=True)
plan = home / 'project' / 'docs' / 'plan.md'
lines = '- [ ] Pay the rent\n- [ ] Cancel the lease\n\n```\n- [ ] an example\n```\n'
plan.write_text(lines)
server = Server(os.path.abspath('env/bin/md-todo-hub'), cwd=home, env=dict(os.environ, HOME=str(home)))


def show(when):
    actions = json.loads(server.text('get_next_actions'))['actions']
    print(f'{when}, open:', '; '.join(f"{one['id']} {one['title']}" for one in actions))


server.text('register_project', path=str(home / 'project'), name='x', docs_dir=str(plan.parent))
show('first')
plan.write_text('- [ ] Ask the bank\n' + lines)
print('done:', json.loads(server.text('update_status', item_id='A-plan-md-2', new_status='done', project='x'))['item_id'])
print('file:', plan.read_text().split('\n')[:3])
show('index')
server.text('index_projects')
show('after a new scan')
PY
echo "md-todo-hub $(env/bin/python -c "import importlib.metadata as m; print(m.version('md-todo-hub'))")"
python3 run.py | tee out
diff out - <<'END'
first, open: A-plan-md-1 Pay the rent; A-plan-md-2 Cancel the lease; A-plan-md-5 an example
done: A-plan-md-2
file: ['- [ ] Ask the bank', '- [x] Pay the rent', '- [ ] Cancel the lease']
index, open: A-plan-md-1 Pay the rent; A-plan-md-5 an example
after a new scan, open: A-plan-md-1 Ask the bank; A-plan-md-3 Cancel the lease; A-plan-md-5 an example; A-plan-md-6 an example
END
