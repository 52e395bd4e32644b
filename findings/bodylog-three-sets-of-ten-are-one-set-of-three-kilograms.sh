#!/usr/bin/env bash
# bodylog 0.1.0 (PyPI), an MCP server that logs training from the user's words, over stdio: log_set with text, then end_session.
# Behaviour: "3x10", which the tool's own text gives as the way to say three sets, is read in a message as a weight of 3 and 10 times; the real weight behind it becomes part of the exercise's name. "5x5 100kg" is
# one set of 5 kg, "60kg x 8, 8, 6" one set. The answer says which exercise and set it made, not that something was left out. The totals, records and histories follow from that.
# Seen:   "bench press 3x10 60kg": "Bench Press 60kg", one set of 3 kg x 10 / "5x5 100kg": 5 kg x 5 / total 1,035 kg
# Expected by most: 3 sets of 10 with 60 kg, 5 sets of 5 with 100 kg, 3 sets of 8, 8 and 6; 6,120 kg.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check bodylog==0.1.0
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

server = Server(os.path.abspath('env/bin/bodylog-mcp'), env=dict(os.environ, HOME=os.getcwd()))
for text in ('bench press 3x10 60kg', 'squat 100kg x 5', '5x5 100kg', 'bench press 60kg x 8, 8, 6'):
    answer = json.loads(server.text('log_set', text=text))
    print(f'{text}:', '; '.join(f"{one['exercise']}, {one['weight']:g} {one['unit']} x {one['reps']}" for one in answer['logged']))
card = server.text('end_session', duration='1h 5m').split('\n')
print('total:', next(line for line in card if ' sets ' in line))
print('as named fields:', [f"{one['weight']:g} {one['unit']} x {one['reps']}" for one in json.loads(server.text('log_set', exercise='bench press', weight=60, unit='kg', reps=10, count=3))['logged']])
PY
echo "bodylog $(env/bin/python -c "import importlib.metadata as m; print(m.version('bodylog'))")"
python3 run.py | tee out
diff out - <<'END'
bench press 3x10 60kg: Bench Press 60kg, 3 kg x 10
squat 100kg x 5: Squat, 100 kg x 5
5x5 100kg: Squat, 5 kg x 5
bench press 60kg x 8, 8, 6: Bench Press, 60 kg x 8
total: 1h 5m · 1,035 kg · 4 sets · 0 PRs
as named fields: ['60 kg x 10', '60 kg x 10', '60 kg x 10']
END
