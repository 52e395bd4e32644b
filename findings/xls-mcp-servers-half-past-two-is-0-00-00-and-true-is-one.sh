#!/usr/bin/env bash
# xls-mcp-servers 1.0.1 (PyPI), an MCP server for Excel files of 1997 to 2003 (.xls), over stdio; xlwt 1.3.0 makes the workbook and xlrd 2.0.2 counts its formulas.
# Behaviour: read_xls gives each cell with a format for dates or times as a day without a time. A time of day, 14:30, is "0-00-00" and a meeting on 3 November at 14:30 is "2026-11-03".
# TRUE is 1. update_xls_cell for one cell writes the book anew without the formulas of all other cells.
# Seen:   14:30: "0-00-00" / 2026-11-03 14:30: "2026-11-03" / after a change of one remark: formulas 1, then 0
# Expected by most: 14:30, 2026-11-03 14:30, true, and a formula that stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check xls-mcp-servers==1.0.1 mcp==1.30.0 xlwt==1.3.0 xlrd==2.0.2
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
import io
import json
from datetime import date, datetime, time
import xlrd
import xlwt
from ask import start

book = xlwt.Workbook()
sheet = book.add_sheet('S')
cells = [('time', time(14, 30), 'HH:MM'), ('meeting', datetime(2026, 11, 3, 14, 30), 'YYYY-MM-DD HH:MM'), ('day', date(2026, 11, 3), 'YYYY-MM-DD'), ('done', True, 'General')]
for row, (name, value, form) in enumerate([*cells, ('sum', xlwt.Formula('1+2'), 'General')]):
    sheet.write(row, 0, name)
    sheet.write(row, 1, value, xlwt.easyxf(num_format_str=form))
book.save('book.xls')

call = start('env/bin/xls-mcp-servers')
for (_, value, _), (name, read) in zip(cells, json.loads(call('read_xls', filepath='book.xls'))['data']):
    print(f'{name}: written {value}, read {read!r}')
for when in ['before', 'after one remark']:
    out = io.StringIO()
    xlrd.count_records('book.xls', out)
    print('formulas', when, sum(int(line.split()[0]) for line in out.getvalue().splitlines() if line.endswith(' FORMULA')))
    call('update_xls_cell', filepath='book.xls', sheet_name='S', cell='C1', value='remark')
PY
echo "xls-mcp-servers $(env/bin/python -c "import importlib.metadata as m; print(m.version('xls-mcp-servers'))")"
env/bin/python run.py | tee out
diff out - <<'END'
time: written 14:30:00, read '0-00-00'
meeting: written 2026-11-03 14:30:00, read '2026-11-03'
day: written 2026-11-03, read '2026-11-03'
done: written True, read 1
formulas before 1
formulas after one remark 0
END
