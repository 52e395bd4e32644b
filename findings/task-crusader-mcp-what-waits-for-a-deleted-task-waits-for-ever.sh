#!/usr/bin/env bash
# task-crusader-mcp 0.1.5 (PyPI), an MCP server for tasks that depend on each other, with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: task_delete takes a task away and leaves its id in the tasks that waited for it. Such a task is never offered again: get_all_actionable_tasks says "No actionable tasks available", though nothing is
# blocked, and no answer names the missing one. The same answer's progress names that very task as the next actionable one. The delete itself says nothing of those that wait.
# Seen:   after the delete: actionable none, next_actionable_task "Publish the page", blocked 0
# Expected by most: the dependency goes with the task, or the delete is refused.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check task-crusader-mcp==0.1.5 mcp==1.30.0 pyyaml==6.0.3
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
import os
import yaml
from client import Server

server = Server(os.path.abspath('env/bin/crusader-mcp'), env=dict(os.environ, HOME=os.getcwd()))


def ask(tool, **arguments):
    return yaml.safe_load(server.text(tool, **arguments))


campaign = ask('campaign_create', name='Site')['data']['id']


def task(title, *after):
    return ask('task_create', title=title, campaign_id=campaign, dependencies=list(after))['data']['id']


def show(when):
    answer = ask('campaign_get_all_actionable_tasks', campaign_id=campaign)
    progress = answer['data']['campaign_progress']
    print(when + ':', 'actionable', [one['title'] for one in answer['data']['actionable_tasks']], '/ next', (progress['next_actionable_task'] or {}).get('title'), '/ blocked', progress['tasks_by_status']['blocked'])
    print('  hint:', answer['hints'][0]['message'])


draft = task('Write the draft')
page = task('Publish the page', draft)
show('before')
print('delete:', list(ask('task_delete', task_id=draft)['data']))
show('after')
ask('task_update', task_id=page, remove_dependencies=[draft])
show('dependency taken away by hand')
PY
echo "task-crusader-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('task-crusader-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
before: actionable ['Write the draft'] / next Write the draft / blocked 0
  hint: 1 actionable task available. Claim by setting status to 'in-progress' before starting.
delete: ['message', 'task_id']
after: actionable [] / next Publish the page / blocked 0
  hint: No actionable tasks available.
dependency taken away by hand: actionable ['Publish the page'] / next Publish the page / blocked 0
  hint: 1 actionable task available. Claim by setting status to 'in-progress' before starting.
END
