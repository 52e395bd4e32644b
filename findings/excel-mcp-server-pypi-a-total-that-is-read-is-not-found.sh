#!/usr/bin/env bash
# excel-mcp-server 2.2.2 (PyPI), over stdio: read_range and find_cells, both with their default mode "values", which is described as "results".
# Behaviour: find_cells does not look at cells with formulas. A total that read_range shows as 120 is not found, nor is a text that a formula makes; with mode "formulas" 120 is not found either. So "no match" does not mean
# that no cell shows it. A date that comes from a formula, =C2, is read as the number 46085, and so it is exported to CSV, while the date itself is read as a date.
# Seen:   read: total 120, date of the total 46085 / find 120: {} / find total: A4, not A5, which reads "total" too
# Expected by most: what is read can be found; 2026-03-04.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check excel-mcp-server==2.2.2
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

file = os.path.abspath('shop.xlsx')
server = Server('env/bin/excel-mcp-server', 'stdio')


def ask(tool, **arguments):
    return server.text(tool, path=file, **arguments)


ask('create_workbook', sheets=['S'])
rows = [['item', 'cost', 'day'], ['pen', 60, '2026-03-04'], ['cup', 60, '2026-03-05'], ['total', '=SUM(B2:B3)', '=MAX(C2:C3)'], ['word', '="to"&"tal"', '=C2']]
ask('write_range', sheet='S', at='A1', rows=rows)
for row in json.loads(ask('read_range', sheet='S'))['values']:
    print(row)
for query in ('60', '120', 'total', '2026-03-04', '46085'):
    print(f'find {query}:', json.dumps(json.loads(ask('find_cells', query=query))['matches']))
print('find 120 in formulas:', json.dumps(json.loads(ask('find_cells', query='120', mode='formulas'))['matches']))
ask('export_csv', sheet='S', csv_path=os.path.abspath('shop.csv'))
print('CSV:', open('shop.csv', encoding='utf-8-sig').read().split())
PY
echo "excel-mcp-server $(env/bin/python -c "import importlib.metadata as m; print(m.version('excel-mcp-server'))")"
env/bin/python run.py | tee out
diff out - <<'END'
['item', 'cost', 'day']
['pen', 60, '2026-03-04']
['cup', 60, '2026-03-05']
['total', 120, 46086]
['word', 'total', 46085]
find 60: {"S": {"B2": 60, "B3": 60}}
find 120: {}
find total: {"S": {"A4": "total"}}
find 2026-03-04: {"S": {"C2": "2026-03-04"}}
find 46085: {}
find 120 in formulas: {}
CSV: ['item,cost,day', 'pen,60,2026-03-04', 'cup,60,2026-03-05', 'total,120,46086', 'word,total,46085']
END
