#!/usr/bin/env bash
# mcp-abacus 0.5.1 (PyPI), a "high-precision calculator MCP server", with mcp 1.30.0 (PyPI), over stdio: calculate with its defaults.
# Behaviour: the sign ^ is the exclusive or of bits. 10^2 is 8, and the answer says "exact". Powers are written **.
# The default mode keeps as many digits behind the point as the expression has. Whole numbers stay whole in each step: sqrt(2) is 1, 10/4 is 2, 7/2*2 is 8. That is told as "rounded to 0 decimals", with a better value of the last step.
# A point anywhere changes it: 10.00/4 is 2.50. A median of whole numbers, and a logarithm, are whole as well.
# Seen:   10^2: 8 (exact) / 2^3^2: 3 (exact) / 7/2*2: 8 / sqrt(2): 1 / median(1,2,3,4): 2
# Expected by most: 100, 512, 7, 1.414..., 2.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-abacus==0.5.1 mcp==1.30.0
cat > ask.py <<'PY'
import itertools
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio; gives a function that calls its tools, and one for other requests."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})
    numbers = itertools.count(1)

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        number = next(numbers)
        send(id=number, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == number:
                return answer.get('result') or answer['error']

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > run.py <<'PY'
import json
from ask import start

call, _ = start('env/bin/mcp-abacus')
for expression in ['10^2', '2^3^2', '10**2', '7/2*2', '10/4', '10.00/4', 'sqrt(2)', 'median(1,2,3,4)', '0.1+0.2']:
    print(expression, '=', json.loads(call('calculate', expression=expression))['value'].split(' — ')[0])
for mode in ('rational', 'floating-point'):
    print(mode, *(f"{expression} = {json.loads(call('calculate', expression=expression, mode=mode))['value']}" for expression in ['7/2*2', '10/4']), sep='; ')
PY
echo "mcp-abacus $(env/bin/python -c "import importlib.metadata as m; print(m.version('mcp-abacus'))")"
python3 run.py | tee out
diff out - <<'END'
10^2 = 8 (exact)
2^3^2 = 3 (exact)
10**2 = 100 (exact)
7/2*2 = 8 (inexact, rounded to 0 decimals
10/4 = 2 (inexact, rounded to 0 decimals
10.00/4 = 2.50 (exact)
sqrt(2) = 1 (inexact, rounded to 0 decimals
median(1,2,3,4) = 2 (inexact, rounded to 0 decimals
0.1+0.2 = 0.3 (exact)
rational; 7/2*2 = 7 (exact); 10/4 = 5/2 (exact)
floating-point; 7/2*2 = 7.0 (inexact); 10/4 = 2.5 (inexact)
END
