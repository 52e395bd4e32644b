#!/usr/bin/env bash
# budget-planner-ai-mcp 1.0.11 (PyPI), an MCP server for monthly budgets, with mcp 1.30.0 (PyPI), over stdio: rollover_unused.
# Behaviour: what a month has left is added to the next month and stays in the old one. A second call, such as a retry, adds it again: 500 unused of November are 1,000 more in December, and November still has its 500.
# The sum of what is free does not follow: it grows with each call, to more than the income, since the money counts as unplanned.
# Seen:   December's rent after two calls: 1,500; "total_remaining" 3,500 of an income of 3,000; November still 500
# Expected by most: the second call finds nothing left to carry over.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check budget-planner-ai-mcp==1.0.11 mcp==1.30.0
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
        lines = (json.loads(line) for line in self.process.stdout if line.startswith('{'))
        return next(message for message in lines if message.get('id') == self.last)['result']

    def text(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.ask('tools/call', {'name': tool, 'arguments': arguments})['content'])
PY
cat > run.py <<'PY'
import json
import os
from client import Server

server = Server(os.path.abspath('env/bin/budget_planner_ai_mcp'), env=dict(os.environ, HOME=os.getcwd()))


def ask(tool, **arguments):
    return json.loads(server.text(tool, **arguments))


def show(month):
    now = ask('get_budget_status', month=month)
    rent = now['categories']['Rent']
    print(f"{month}: rent {rent['allocated']:g}, spent {rent['spent']:g}, left {rent['remaining']:g}; income {now['income']:g}, total_allocated {now['total_allocated']:g}, total_remaining {now['total_remaining']:g}")


for month in ('2026-11', '2026-12'):
    ask('create_budget', month=month, income=3000, categories={'Rent': 500})
for time in (1, 2):
    print('carried over:', ask('rollover_unused', source_month='2026-11', target_month='2026-12')['total_rolled'])
    show('2026-12')
show('2026-11')
PY
echo "budget-planner-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('budget-planner-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
carried over: 500
2026-12: rent 1000, spent 0, left 1000; income 3000, total_allocated 500, total_remaining 3000
carried over: 500
2026-12: rent 1500, spent 0, left 1500; income 3000, total_allocated 500, total_remaining 3500
2026-11: rent 500, spent 0, left 500; income 3000, total_allocated 500, total_remaining 2500
END
