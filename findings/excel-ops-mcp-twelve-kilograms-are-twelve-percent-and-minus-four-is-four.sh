#!/usr/bin/env bash
# excel-ops-mcp 0.3.0 (PyPI), an MCP server for workbooks, with mcp 1.30.0 (PyPI), over stdio: spreadsheet_query (SQL). The workbook is made with openpyxl 3.1.5 (PyPI).
# Behaviour: SELECT * gives four more columns beside each one: kind, num, min and max, which the README offers for "percent-like columns". In any column of texts each number above 1 is taken for a percentage, whatever unit stands with it,
# and its sign is lost: 12 kg is 0.12, 1,234 is 0.01234, -4 is 0.04. The code 001 is 1, the code 002 is 0.02. A1 is 1. A month 2026-01 is a range from 0.01 to 20.26. So ORDER BY and WHERE on these columns answer with other rows.
# Seen:   12 kg: percent 0.12 / 1,234: percent 0.01234 / -4: percent 0.04 / 002: percent 0.02 / the largest of all by size__num: "1" and "A1"
# Expected by most: 12, 1234, 0.125, -4, or nothing for what is no number.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check excel-ops-mcp==0.3.0 mcp==1.30.0 openpyxl==3.1.5
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        print(json.dumps({'jsonrpc': '2.0', **message}), file=server.stdin, flush=True)

    def request(method, **params):
        send(id=1, method=method, params=params)
        answers = (json.loads(line) for line in server.stdout if line.startswith('{'))
        return next(answer['result'] for answer in answers if 'result' in answer)

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > book.py <<'PY'
import openpyxl
book = openpyxl.Workbook()
book.active.append(['code', 'size', 'pieces'])
for number, size in enumerate(['12 kg', '1,234', '12.5%', '-4', '1', '5-10', '2026-01', 'A1'], 1):
    book.active.append([f'{number:03}', size, number])
book.save('parts.xlsx')
PY
env/bin/python book.py
cat > run.py <<'PY'
import json
import os
from ask import start

call, _ = start('env/bin/excel-ops-mcp', EXCEL_MCP_ALLOWED_ROOTS=os.getcwd())
path = os.path.abspath('parts.xlsx')
table = json.loads(call('spreadsheet_inspect', mode='describe', path=path))['sheets'][0]['regions'][0]['table_name']
answer = json.loads(call('spreadsheet_query', path=path, sql=f'SELECT * FROM {table}'))
for row in answer['rows']:
    print(f"{row['size']}: {row['size__kind']} {row['size__num']} from {row['size__min']} to {row['size__max']}; code {row['code']}: {row['code__kind']} {row['code__num']}")
print('warnings:', answer['warnings'])
print('by size__num, largest first:', [row['size'] for row in json.loads(call('spreadsheet_query', path=path, sql=f'SELECT size FROM {table} WHERE size__num IS NOT NULL ORDER BY size__num DESC, code'))['rows']])
PY
echo "excel-ops-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('excel-ops-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
12 kg: percent 0.12 from 0.12 to 0.12; code 001: number 1.0
1,234: percent 0.01234 from 0.01234 to 0.01234; code 002: percent 0.02
12.5%: percent 0.125 from 0.125 to 0.125; code 003: percent 0.03
-4: percent 0.04 from 0.04 to 0.04; code 004: percent 0.04
1: number 1.0 from 1.0 to 1.0; code 005: percent 0.05
5-10: range None from 0.05 to 0.1; code 006: percent 0.06
2026-01: range None from 0.01 to 20.26; code 007: percent 0.07
A1: number 1.0 from 1.0 to 1.0; code 008: percent 0.08
warnings: []
by size__num, largest first: ['1', 'A1', '12.5%', '12 kg', '-4', '1,234']
END
