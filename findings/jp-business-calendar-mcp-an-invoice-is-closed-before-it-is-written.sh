#!/usr/bin/env bash
# jp-business-calendar-mcp 0.1.0 (PyPI), an MCP server for days of payment in Japan, with mcp 1.30.0 (PyPI), over stdio: payment_date.
# Behaviour: with a closing day of 20, an invoice of the 21st belongs to the period that closes on the 20th of the NEXT month. The tool closes it on the 20th of its own month, the day before it was written, and
# so the payment is a month too early. Nothing in the answer tells this, but the closing date is in it. At the end of February the day is the last one, as it should be.
# Seen:   invoice 2026-01-21, closing 20, paid at the end of the next month: closed 2026-01-20, paid 2026-02-28
# Expected by most: closed 2026-02-20, paid 2026-03-31.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jp-business-calendar-mcp==0.1.0 mcp==1.30.0
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

server = Server(os.path.abspath('env/bin/jp-business-calendar-mcp'), env=dict(os.environ, HOME=os.getcwd()))
for invoice, closing in (('2026-01-15', '20'), ('2026-01-20', '20'), ('2026-01-21', '20'), ('2026-01-31', '20'), ('2026-01-31', '末'), ('2026-02-27', '25')):
    answer = json.loads(server.text('payment_date', invoice_date=invoice, closing_day=closing, adjust='none'))
    print(f"invoice {invoice}, closing {'the last day' if closing == '末' else closing}: closed {answer['closing_date']}, paid {answer['payment_date']}")
PY
echo "jp-business-calendar-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('jp-business-calendar-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
invoice 2026-01-15, closing 20: closed 2026-01-20, paid 2026-02-28
invoice 2026-01-20, closing 20: closed 2026-01-20, paid 2026-02-28
invoice 2026-01-21, closing 20: closed 2026-01-20, paid 2026-02-28
invoice 2026-01-31, closing 20: closed 2026-01-20, paid 2026-02-28
invoice 2026-01-31, closing the last day: closed 2026-01-31, paid 2026-02-28
invoice 2026-02-27, closing 25: closed 2026-02-25, paid 2026-03-31
END
