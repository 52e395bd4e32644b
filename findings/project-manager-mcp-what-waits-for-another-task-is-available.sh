#!/usr/bin/env bash
# project-manager-mcp 0.2.7 (PyPI), an MCP server for tasks of agents, with fastmcp 3.4.11 and mcp 1.30.0 (PyPI), over stdio: create_task with dependencies, get_available_tasks.
# Behaviour: dependencies are stored and shown, and nothing looks at them. get_available_tasks gives a task whose dependency is open with "available": true. Another agent can lock it and set it to done.
# So agents that take what is available do the second step before or beside the first. No answer names the open dependency.
# Seen:   deploy (needs build, pending): available true / lock: success / done: success, while build is pending
# Expected by most: not available until build is done.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check project-manager-mcp==0.2.7 fastmcp==3.4.11 mcp==1.30.0
cat > ask.py <<'PY'
import itertools
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio; gives a function that calls its tools, and one for other requests."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})
    numbers = itertools.count(1)

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        number = next(numbers)
        send(id=number, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == number:
                return answer.get('result') or answer['error']

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > run.py <<'PY'
import json
from ask import start

call, _ = start('env/bin/project-manager-mcp')
call('create_task', name='build', epic_name='release', project_name='shop')
call('create_task', name='deploy', epic_name='release', project_name='shop', dependencies='[1]')
details = json.loads(call('get_task_details', task_id='2'))
print('deploy needs', [(task['name'], task['status']) for task in details['dependencies']])
for task in json.loads(call('get_available_tasks', status='TODO')):
    print(task['name'], 'available', task['available'], 'dependencies', task['dependencies'])
print('lock:', json.loads(call('acquire_task_lock', task_id='2', agent_id='a'))['message'])
print('done:', json.loads(call('update_task_status', task_id='2', status='DONE', agent_id='a'))['message'])
print([(task['name'], task['status']) for task in json.loads(call('list_tasks'))])
PY
echo "project-manager-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('project-manager-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
deploy needs [('build', 'pending')]
build available True dependencies None
deploy available True dependencies [1]
lock: Acquired lock on task 2
done: Task 2 status updated to completed and lock auto-released
[('build', 'pending'), ('deploy', 'completed')]
END
