#!/usr/bin/env bash
# people-context 1.3.0 (PyPI), an MCP server that remembers people, over stdio: set_reminder of the kind "occasion" with a recurrence, then complete_reminder.
# Behaviour: an occasion, which the tool's text calls "a date that recurs", has one date. complete_reminder closes it for good, with its "yearly" still in the answer, and no reminder for the next year is made. The list of reminders is then
# empty, next year too.
# Seen:   yearly birthday of 2026-03-01, completed: list of reminders []
# Expected by most: the next one is on 2027-03-01.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check people-context==1.3.0
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
from client import Server

server = Server(os.path.abspath('env/bin/people-context-mcp'), env=dict(os.environ, HOME=os.getcwd()))


def ask(tool, **arguments):
    return json.loads(server.text(tool, **arguments))


person = ask('remember_person', name='Anna Smith')['person']['id']
birthday = ask('set_reminder', person_id=person, text='birthday', kind='occasion', due_at='2026-03-01', recurrence='yearly')
print('set:', birthday['text'], birthday['due_at'], birthday['recurrence'], birthday['status'])
print('list:', [(one['text'], one['due_at']) for one in ask('list_reminders', person_id=person)['reminders']])
done = ask('complete_reminder', reminder_id=birthday['id'])
print('completed:', done['due_at'], done['recurrence'], done['status'])
print('list:', ask('list_reminders', person_id=person)['reminders'])
print('active:', ask('list_reminders', person_id=person, status='active')['reminders'])
print('before 2028:', ask('list_reminders', person_id=person, due_before='2028-01-01')['reminders'])
PY
echo "people-context $(env/bin/python -c "import importlib.metadata as m; print(m.version('people-context'))")"
python3 run.py | tee out
diff out - <<'END'
set: birthday 2026-03-01T00:00:00 yearly active
list: [('birthday', '2026-03-01T00:00:00')]
completed: 2026-03-01T00:00:00 yearly completed
list: []
active: []
before 2028: []
END
