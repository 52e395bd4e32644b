#!/usr/bin/env bash
# ai-todo 3.0.2 (PyPI), a list of tasks for agents in TODO.md (command line and MCP server), with fastmcp 2.14.7 (PyPI): the command reorder, "reorder subtasks to match reverse-chronological order".
# Behaviour: reorder writes the tasks and their subtasks again, newest first, and leaves out everything below them. The subtasks of subtasks are gone from TODO.md, from list and from show. They are not among the deleted tasks either,
# so that restore does not find them. The answer is the same as ever, with a tick.
# Seen:   five tasks before, three after; show 1.1.1: not found; restore 1.1.1: not found
# Expected by most: five tasks in another order.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ai-todo==3.0.2 fastmcp==2.14.7 mcp==1.30.0
export HOME=$PWD
git init --quiet project; cd project
todo() { ../env/bin/ai-todo "$@" 2>&1; }
echo "ai-todo $(../env/bin/python -c "import importlib.metadata as m; print(m.version('ai-todo'))")"
{
  todo add 'write the report'; todo add-subtask 1 'collect the figures'; todo add-subtask 1 'draw the charts'
  todo add-subtask 1.1 'ask the branch in Bonn'; todo add-subtask 1.1 'ask the branch in Kiel'
  echo 'before:'; todo list
  todo reorder | tail -1
  echo 'after:'; todo list
  todo show 1.1.1 || true
  todo restore 1.1.1 || true
  echo "lines of TODO.md with a branch: $(grep -c branch TODO.md || true)"
} | tee ../out
cd ..
diff out - <<'END'
Added: #1 write the report
Added subtask: #1.1 collect the figures
Added subtask: #1.2 draw the charts
Added subtask: #1.1.1 ask the branch in Bonn
Added subtask: #1.1.2 ask the branch in Kiel
before:
- [ ] **#1** write the report
  - [ ] **#1.2** draw the charts
  - [ ] **#1.1** collect the figures
    - [ ] **#1.1.2** ask the branch in Kiel
    - [ ] **#1.1.1** ask the branch in Bonn
✅ Reordered subtasks (newest on top)
after:
- [ ] **#1** write the report
  - [ ] **#1.2** draw the charts
  - [ ] **#1.1** collect the figures
Error: Task #1.1.1 not found
Error: Task 1.1.1 not found
lines of TODO.md with a branch: 0
END
