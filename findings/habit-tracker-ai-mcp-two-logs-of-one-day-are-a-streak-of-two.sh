#!/usr/bin/env bash
# habit-tracker-ai-mcp 1.0.9 (PyPI), an MCP server for habits, with mcp 1.30.0 (PyPI), over stdio: log_completion and get_habit_streak.
# Behaviour: the streak is the number of logs. The date that each log has is not looked at: the same day twice makes a streak of two, and so does a day at the beginning and one at the end of a month. A log that a model
# sends again, or one for a day that was forgotten, lengthens the streak; no gap ends it.
# Seen:   2026-11-30 twice: streak 2 / 2026-11-01 and 2026-11-30: streak 2 / three logs of a day out of order: streak 3
# Expected by most: 1; days in a row.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check habit-tracker-ai-mcp==1.0.9 mcp==1.30.0
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


def streak(*days):
    home = os.path.abspath('home' + '-'.join(days))
    os.makedirs(home)
    server = Server(os.path.abspath('env/bin/habit_tracker_ai_mcp'), env=dict(os.environ, HOME=home))
    habit = json.loads(server.text('create_habit', name='run', frequency='daily'))['habit_id']
    told = [json.loads(server.text('log_completion', habit_id=habit, date=day))['current_streak'] for day in days]
    now = json.loads(server.text('get_habit_streak', habit_id=habit))
    print(' '.join(days) + ':', 'told', told, 'current', now['current_streak'], 'best', now['best_streak'])


streak('2026-11-30')
streak('2026-11-30', '2026-11-30')
streak('2026-11-01', '2026-11-30')
streak('2026-11-10', '2026-11-09', '2026-11-10')
PY
echo "habit-tracker-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('habit-tracker-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
2026-11-30: told [1] current 1 best 1
2026-11-30 2026-11-30: told [1, 2] current 2 best 2
2026-11-01 2026-11-30: told [1, 2] current 2 best 2
2026-11-10 2026-11-09 2026-11-10: told [1, 2, 3] current 3 best 3
END
