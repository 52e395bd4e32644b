#!/usr/bin/env bash
# PyPI kanbanger 3.0.0 with mcp 1.30.0, an MCP server for a board in a markdown file, asked over stdio.
# Behaviour: DONE is for work that a human approved. reject_review puts the rejected task into DONE, with [x], and a new "Rework" task into TODO; a list of
# DONE shows both kinds alike. A task that is moved loses the text line below it, and its list line stays behind in the old column, under the task above.
# A description of several lines is written as it is: list_tasks shows its first line, and a list line in it becomes a task of its own. Tasks written
# "- [ ]" are not seen at all; steps below a task are listed as tasks beside it.
# Seen:   rejected: DONE: Fix login, Old one / moved: "The form forgets the name." is gone from the file / description "To check:\n* [ ] colours": a task "colours"
# Expected by most: rejected work in TODO or DOING; the lines of a task move with it; a description that can be read back.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check kanbanger==3.0.0 mcp==1.30.0
mkdir board; git init --quiet board; cd board
cat > _kanban.md <<'MD'
# Project Kanban

## BACKLOG

## TODO
*   [ ] Draw logo
    *   [ ] in blue
*   [ ] Fix login
    The form forgets the name.
    - see the log
- [ ] Written with a dash

## DOING

## REVIEW

## DONE
*   [x] Old one
MD
cat > ../run.py <<'PY'
import json
import os
import subprocess

server = subprocess.Popen(['../env/bin/kanbanger-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == number:
            return json.loads(line)['result']


def call(tool, **values):
    return ask('tools/call', {'name': tool, 'arguments': values})['content'][0]['text']


def column(name):
    print(f'{name}:', json.dumps(json.loads(call('list_tasks'))[name]))


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
column('TODO')
print(call('move_task', title='Fix login', from_column='TODO', to_column='DOING'))
print(call('add_task', title='New page', column='TODO', description='To check:\n* [ ] colours\nand the title'))
for task in json.loads(call('list_tasks', column='TODO', verbose=True))['TODO']:
    print(' ', task['title'], '|', task['description'])
call('propose_done', title='Fix login')
print('rejected, success:', json.loads(call('reject_review', title='Fix login', reason='no tests'))['success'])
column('DONE')
print(open('_kanban.md').read().rstrip())
server.kill()
PY
../env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('kanbanger', 'mcp')))"
../env/bin/python -u ../run.py 2> ../log | tee ../out || { cat ../log; exit 1; }
diff ../out - <<'END'
TODO: ["Draw logo", "in blue", "Fix login"]
Successfully moved 'Fix login' from TODO to DOING
Successfully added task 'New page' to TODO
  Draw logo | None
  in blue | None
  New page | To check:
  colours | None
rejected, success: True
DONE: ["Fix login", "Old one"]
# Project Kanban

## BACKLOG

## TODO
*   [ ] Rework: Fix login - Reason: no tests; Original task: Fix login

*   [ ] Draw logo
    *   [ ] in blue
    - see the log
- [ ] Written with a dash
*   [ ] New page - To check:
* [ ] colours
and the title

## DOING

## REVIEW

## DONE
*   [x] Fix login - REJECTED: no tests; rework: Rework: Fix login
*   [x] Old one
END
