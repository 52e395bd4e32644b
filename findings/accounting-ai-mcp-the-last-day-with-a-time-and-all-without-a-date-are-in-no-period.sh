#!/usr/bin/env bash
# accounting-ai-mcp 1.0.13 (PyPI), an MCP server for small accounts, with mcp 1.30.0 (PyPI), over stdio: profit_and_loss and categorize_expenses.
# Behaviour: dates are compared as letters. With a period, a record on its last day that has a time is outside, so is a day written 2026-1-5, and a record without a date (dates are optional) is in no period at all: a firm with
# income only of that kind is told BREAK_EVEN. Nothing counts what was left out. Categories are found by letters inside words: a car insurance is payroll.
# Seen:   income 1000 without a date, 2026-01-01 to 2026-01-31: total 0, BREAK_EVEN; without a period: PROFIT / 2026-01-31T10:00:00Z is not in January
# Expected by most: the last day counts; what has no date is counted or named.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check accounting-ai-mcp==1.0.13 mcp==1.30.0
cat > peer.py <<'PY'
import json
import os
import subprocess


def connect(*command, **env):
    child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, 'HOME': os.getcwd(), **env})

    def ask(method, **params):
        first = '' if method != 'tools/call' else json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'
        print(first + json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}), file=child.stdin, flush=True)
        while not ((line := next(child.stdout)).startswith('{') and 'result' in line and (reply := json.loads(line)).get('id') == 7):
            pass
        return reply['result']

    ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'peer', 'version': '1'})
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in ask('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import json
from peer import connect

call = connect('env/bin/accounting_ai_mcp')
for day in ['2026-01-31', '2026-01-31T10:00:00Z', '2026-1-5', None]:
    sale = {'description': 'Sale', 'amount': 1000, 'category': 'Sales', **({'date': day} if day else {})}
    january = json.loads(call('profit_and_loss', income=[sale], expenses=[], period_start='2026-01-01', period_end='2026-01-31'))
    print(day, 'January:', january['income']['total'], january['status'])
print('no date, no period:', json.loads(call('profit_and_loss', income=[sale], expenses=[]))['status'])
groups = json.loads(call('categorize_expenses', expenses=[{'description': 'Car insurance', 'amount': 300}, {'description': 'Rental car', 'amount': 40}, {'description': 'Software for rent calculation', 'amount': 20}]))['categories']
print({item['description']: name for name, group in sorted(groups.items()) for item in group['items']})
PY
echo "accounting-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('accounting-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
2026-01-31 January: 1000.0 PROFIT
2026-01-31T10:00:00Z January: 0 BREAK_EVEN
2026-1-5 January: 0 BREAK_EVEN
None January: 0 BREAK_EVEN
no date, no period: PROFIT
{'Rental car': 'office', 'Software for rent calculation': 'office', 'Car insurance': 'payroll'}
END
