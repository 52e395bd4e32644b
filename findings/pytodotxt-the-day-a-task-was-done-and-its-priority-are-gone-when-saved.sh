#!/usr/bin/env bash
# pytodotxt 3.1.0 (PyPI), a file of the todo.txt format read and saved, with nothing changed.
# Behaviour: a done task with its day of completion and no day of creation, as in the format's own example "x 2011-03-03 Call Mom", is read right, but the day
# is gone when the file is saved. So is the priority of a done task. With a day of creation the day of completion stays. Empty lines are gone too.
# Seen:   "x 2026-01-03 Call Mom" becomes "x Call Mom"; "x 2026-01-05 (B) Pay rent" becomes "x Pay rent"
# Expected by most: the same lines.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pytodotxt==3.1.0
cat > todo.txt <<'TXT'
x 2026-01-03 Call Mom
x 2026-01-03 2026-01-01 Call Dad
(A) 2026-01-02 Buy milk due:2026-02-01
x 2026-01-05 (B) Pay rent
plain
TXT
cat > run.py <<'PY'
import datetime
import importlib.metadata
import sys
import pytodotxt

print('pytodotxt', importlib.metadata.version('pytodotxt'), file=sys.stderr)
tasks = pytodotxt.TodoTxt('todo.txt')
tasks.parse()
for task in tasks.tasks:
    print(f'read: done={task.is_completed} on {task.completion_date}, priority {task.priority}: {task.description}')
tasks.save()
print(open('todo.txt').read(), end='')
task = pytodotxt.Task('Water plants')
task.is_completed = True
task.completion_date = datetime.date(2026, 1, 9)
print(f'marked as done on 2026-01-09: {task}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
read: done=True on 2026-01-03, priority None: Call Mom
read: done=True on 2026-01-03, priority None: Call Dad
read: done=False on None, priority A: Buy milk due:2026-02-01
read: done=True on 2026-01-05, priority B: Pay rent
read: done=False on None, priority None: plain
x Call Mom
x 2026-01-03 2026-01-01 Call Dad
(A) 2026-01-02 Buy milk due:2026-02-01
x Pay rent
plain
marked as done on 2026-01-09: x Water plants
END
