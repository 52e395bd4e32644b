#!/usr/bin/env bash
# todo-list-mcp 0.2.0 (PyPI, the newest for Python 3.11) with fastmcp 4.2.3 (PyPI), its tools create_tasks and list_tasks, called in one process.
# Behaviour: due dates are kept and compared as texts, though times with a zone are what the tools ask for. Before a time in UTC, a task that is due half an hour earlier in Paris is not found, and one that is due
# hours later in New York is. A day without a time comes before all times of that day. The order of the list is that of the letters too.
# Seen:   due before 23:00Z: "New York" (03:30Z of the next day), not "Paris" (22:30Z)
# Expected by most: the same moment is the same moment, however its zone is written.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check todo-list-mcp==0.2.0 fastmcp==4.2.3
cat > run.py <<'PY'
import asyncio
import os

os.environ['HOME'] = os.getcwd()
from fastmcp import Client
from todo_list_mcp.mcp_server import app as mcp


async def main():
    async with Client(mcp) as client:
        due = {'Paris': '2026-01-15T23:30:00+01:00', 'New York': '2026-01-15T22:30:00-05:00', 'London': '2026-01-15T22:45:00Z', 'Paris again': '2026-01-16T00:30:00+02:00'}
        await client.call_tool('create_tasks', {'tasks': [{'title': title, 'due_date': when, 'priority': 'high'} for title, when in due.items()]})

        async def found(**limits):
            answer = await client.call_tool('list_tasks', limits)
            return [one['task']['title'] for one in answer.structured_content['tasks']]

        print('due before 23:00Z:', await found(due_before='2026-01-15T23:00:00Z'))
        print('due after 23:00Z:', await found(due_after='2026-01-15T23:00:00Z'))
        print('in order of the due date:', await found())


asyncio.run(main())
PY
echo "todo-list-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('todo-list-mcp'))")"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
due before 23:00Z: ['London', 'New York']
due after 23:00Z: ['Paris', 'Paris again']
in order of the due date: ['Paris', 'Paris again', 'London', 'New York']
END
