#!/usr/bin/env bash
# @kazuph/mcp-taskmanager 1.1.1 (npm), an MCP server for tasks that a person approves one by one, asked over stdio.
# Behaviour: its tools say that only after approve_task_completion the next task can be had. get_next_task does not look at approvals: it gives the next one at once, and a client can mark all of them done.
# Only at the very end the request can not be approved. The number of a deleted task is given to the next new one, so a remark about "task-3" then points to another task.
# Tasks that nobody began are "In Progress" in each table. A request with no tasks is "all_tasks_done".
# Seen:   mark_task_done task-1, get_next_task: next_task task-2 / delete task-3 (paint), add: task-3 (sand) / request with [] -> all_tasks_done
# Expected by most: no next task before the approval that the tools ask for; a new number for a new task.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > npm.log 2>&1
npm install --silent --no-audit --no-fund @kazuph/mcp-taskmanager@1.1.1 >> npm.log 2>&1 || { cat npm.log; exit 1; }
cat > run.py <<'PY'
import json
import os
import subprocess

home = 'node_modules/@kazuph/mcp-taskmanager/'
print('@kazuph/mcp-taskmanager', json.load(open(home + 'package.json'))['version'])
server = subprocess.Popen(['node', home + 'dist/index.js'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, 'TASK_MANAGER_FILE_PATH': 'tasks.json'})
number = 0

def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    return json.loads(server.stdout.readline())['result']

def call(tool, **values):
    answer = json.loads(ask('tools/call', {'name': tool, 'arguments': values})['content'][0]['text'])
    task = answer.get('task') or (answer.get('newTasks') or [{}])[0]
    rest = answer.get('message', '').split('\n')[0] if answer['status'] in ('error', 'all_tasks_done') else ''
    print(f'{tool}:', answer['status'], task.get('id', ''), task.get('title', ''), rest)
    return answer


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
print('told:', 'Only after this approval can you proceed' in json.dumps(ask('tools/list', {})))
first = call('request_planning', originalRequest='shed', tasks=[{'title': title, 'description': 'd'} for title in ('plan', 'build', 'paint')])
print('  ', first['message'].splitlines()[5])
call('get_next_task', requestId='req-1')
call('mark_task_done', requestId='req-1', taskId='task-1')
call('get_next_task', requestId='req-1')
call('mark_task_done', requestId='req-1', taskId='task-2')
call('delete_task', requestId='req-1', taskId='task-3')
call('add_tasks_to_request', requestId='req-1', tasks=[{'title': 'sand', 'description': 'd'}])
call('mark_task_done', requestId='req-1', taskId='task-3')
call('approve_request_completion', requestId='req-1')
call('request_planning', originalRequest='empty', tasks=[])
call('get_next_task', requestId='req-2')
server.kill()
PY
python3 run.py | sed 's/ *$//' | tee out
diff out - <<'END'
@kazuph/mcp-taskmanager 1.1.1
told: True
request_planning: planned
   | task-1 | plan | d | 🔄 In Progress | ⏳ Pending |
get_next_task: next_task task-1 plan
mark_task_done: task_marked_done task-1 plan
get_next_task: next_task task-2 build
mark_task_done: task_marked_done task-2 build
delete_task: task_deleted
add_tasks_to_request: tasks_added task-3 sand
mark_task_done: task_marked_done task-3 sand
approve_request_completion: error   Not all done tasks are approved.
request_planning: planned
get_next_task: all_tasks_done   All tasks have been completed. Awaiting request completion approval.
END
