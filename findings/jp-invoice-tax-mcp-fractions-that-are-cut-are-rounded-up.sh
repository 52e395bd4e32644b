#!/usr/bin/env bash
# jp-invoice-tax-mcp 0.1.0 (PyPI), an MCP server for Japan's consumption tax, with mcp 1.30.0 (PyPI), over stdio: calc_consumption_tax.
# Behaviour: every answer says that fractions of a yen are cut. Of a price without tax they are. Of a price with tax it is the net price that is cut, and the tax is what is left, so the tax is rounded UP: 1,000 yen with
# 10 % hold 90.9 yen of tax, and the answer is 91. The two ways do not agree: 909 without tax has 90 yen of tax and makes 999.
# Seen:   1000 with tax: net 909, tax 91 / 909 without tax: tax 90, 999 with tax
# Expected by most: tax 90, net 910.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jp-invoice-tax-mcp==0.1.0 mcp==1.30.0
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

server = Server(os.path.abspath('env/bin/jp-invoice-tax-mcp'), env=dict(os.environ, HOME=os.getcwd()))
for amount, rate, kind in ((105, 8, 'excluded'), (1000, 10, 'included'), (909, 10, 'excluded'), (100, 8, 'included'), (500, 8, 'included'), (1100, 10, 'included')):
    answer = json.loads(server.text('calc_consumption_tax', amount=amount, rate=rate, amount_is=kind))
    exact = amount * rate / 100 if kind == 'excluded' else amount * rate / (100 + rate)
    print(f"{amount} yen, {rate} %, tax {kind}: exactly {exact:.2f}, told {answer['consumption_tax']}; net {answer['net_excluded']}, gross {answer['gross_included']}")
print('rounding:', answer['rounding'] == '端数は切り捨て' and 'fractions are cut')
PY
echo "jp-invoice-tax-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('jp-invoice-tax-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
105 yen, 8 %, tax excluded: exactly 8.40, told 8; net 105, gross 113
1000 yen, 10 %, tax included: exactly 90.91, told 91; net 909, gross 1000
909 yen, 10 %, tax excluded: exactly 90.90, told 90; net 909, gross 999
100 yen, 8 %, tax included: exactly 7.41, told 8; net 92, gross 100
500 yen, 8 %, tax included: exactly 37.04, told 38; net 462, gross 500
1100 yen, 10 %, tax included: exactly 100.00, told 100; net 1000, gross 1100
rounding: fractions are cut
END
