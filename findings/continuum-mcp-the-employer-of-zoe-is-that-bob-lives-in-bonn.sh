#!/usr/bin/env bash
# continuum-mcp 2.0.4 (PyPI), an MCP server that remembers facts with "bi-temporal" dates, over stdio as it starts without any setting (memory in the process): remember and current.
# Behaviour: current(subject, attribute) answers with what was stored last, whoever and whatever it is about. Ann's residence, Zoe's residence and Ann's employer are all "Bob lives in Bonn".
# The attribute and the date that remember takes are dropped: a fact of 2024 that is noted after one of 2026 is the current one, and as_of with any day before today is "not found".
# The answer to remember says only that nothing is kept after the end of the server.
# Seen:   current of Ann, Zoe, and Ann's employer: Bob lives in Bonn / Ann's residence after an older fact: Oslo / as of 2025: not found
# Expected by most: Rome for Ann, Oslo as of 2025, and "not found" for Zoe and for the employer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check continuum-mcp==2.0.4 mcp==1.30.0
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio and gives a function that calls its tools."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        send(id=1, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == 1:
                return answer.get('result') or answer['error']

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
from ask import start

call = start('env/bin/continuum-mcp')
for text, day in [('Ann lives in Rome', '2026-01-01'), ('Ann lives in Oslo', '2024-01-01')]:
    call('remember', text=text, occurred_at=day, attribute='residence')
print('Ann, residence:', call('current', subject='Ann', attribute='residence'))
print('Ann, residence as of 2025-01-01:', call('current', subject='Ann', attribute='residence', as_of='2025-01-01'))
call('remember', text='Bob lives in Bonn', occurred_at='2023-01-01', attribute='residence')
print('then a fact about Bob')
for subject, attribute in [('Ann', 'residence'), ('Bob', 'residence'), ('Zoe', 'residence'), ('Zoe', 'employer'), ('Ann', 'employer')]:
    print(f'{subject}, {attribute}:', call('current', subject=subject, attribute=attribute))
PY
echo "continuum-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('continuum-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
Ann, residence: Ann lives in Oslo
Ann, residence as of 2025-01-01: not found
then a fact about Bob
Ann, residence: Bob lives in Bonn
Bob, residence: Bob lives in Bonn
Zoe, residence: Bob lives in Bonn
Zoe, employer: Bob lives in Bonn
Ann, employer: Bob lives in Bonn
END
