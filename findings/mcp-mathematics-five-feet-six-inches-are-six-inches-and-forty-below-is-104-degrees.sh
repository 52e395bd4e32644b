#!/usr/bin/env bash
# mcp-mathematics 2.3.1 (PyPI), an MCP server for calculation, with fastmcp 3.4.11 and mcp 1.30.0 (PyPI), over stdio: convert_natural_language.
# Behaviour: the tool takes the first digits that stand directly before a unit and the word "to". What is before them is dropped without a word: feet before inches, the minus sign, the thousands before a comma,
# the mantissa of 1e3 and the numerator of 1/2. The answer has success: true and repeats the whole question, with the wrong number beside it as input_value.
# Seen:   5 ft 6 in: 15.24 cm / -40 celsius: 104 fahrenheit / 1,000 m: 0 km / 1e3 m: 0.003 km / 1/2 mile: 3.2 km
# Expected by most: 167.64 cm, -40 fahrenheit, 1 km, 1 km, 0.8 km, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-mathematics==2.3.1 fastmcp==3.4.11 mcp==1.30.0
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

call, _ = start('env/bin/mcp-mathematics')
for question in ['5 ft 6 in to cm', 'convert 5 feet 6 inches to cm', '-40 celsius to fahrenheit', '1,000 m to km', '1e3 m to km', '1/2 mile to km', '1.5 hours to minutes']:
    answer = json.loads(call('convert_natural_language', query=question))
    found = answer['conversion']
    print(f"{question}: {found['input_value']:g} {found['input_unit']} = {found['output_value']:.6g} {found['output_unit']}, success {answer['success']}")
direct = json.loads(call('convert_units', value=-40, from_unit='celsius', to_unit='fahrenheit', unit_type='temperature'))
print('convert_units of -40:', direct['output_value'])
PY
echo "mcp-mathematics $(env/bin/python -c "import importlib.metadata as m; print(m.version('mcp-mathematics'))")"
python3 run.py | tee out
diff out - <<'END'
5 ft 6 in to cm: 6 in = 15.24 cm, success True
convert 5 feet 6 inches to cm: 6 inches = 15.24 cm, success True
-40 celsius to fahrenheit: 40 celsius = 104 fahrenheit, success True
1,000 m to km: 0 m = 0 km, success True
1e3 m to km: 3 m = 0.003 km, success True
1/2 mile to km: 2 mile = 3.21869 km, success True
1.5 hours to minutes: 1.5 hours = 90 minutes, success True
convert_units of -40: -40.0
END
