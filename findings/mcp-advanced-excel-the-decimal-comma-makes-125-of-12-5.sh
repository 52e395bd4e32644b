#!/usr/bin/env bash
# mcp-advanced-excel 0.2.0 (PyPI), its tool excel_read_table on a workbook by openpyxl 3.1.5 (PyPI), in which some figures are numbers and some are texts with a comma.
# Behaviour: the mark of decimals, which the reader finds out by itself, is used on the real numbers of the workbook too. As soon as texts such as "1,5" make it "comma", the point of a
# number is taken for a mark of thousands, and 12.5 becomes 125 and 0.125 becomes 125, without a warning. With "dot" the texts are wrong instead: "1,5" is 15. So no setting
# reads a sheet that has both. Without such texts the numbers are right. The row "Total" is one more record.
# Seen:   default: number 12.5: 125, 99.99: 9999, text "1,5": 1.5 / dot: number 12.5, text "1,5": 15 / warnings: none
# Expected by most: numbers of the workbook are numbers; the mark is for texts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-advanced-excel==0.2.0 openpyxl==3.1.5
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
import openpyxl
from client import Server

server = Server('env/bin/mcp-advanced-excel', env=dict(os.environ, EXCEL_ALLOWED_ROOTS=os.getcwd()))


def show(name, concentrations, **more):
    file = os.path.abspath('lab.xlsx')
    book = openpyxl.Workbook()
    masses = [12.5, 0.125, 1500, 99.99]
    for row in [['Sample', 'Mass (mg)', 'Conc (mg/L)'], *zip(['A1', 'A2', 'A3', 'A4'], masses, concentrations), ['Total', sum(masses), None]]:
        book.active.append(row)
    book.save(file)
    answer = json.loads(server.text('excel_read_table', path=file, **more))
    print(name + ':', json.dumps([[row['mass'], row['conc']] for row in answer['rows']]), answer['warnings'])


show('numbers alone', [1.5, 0.25, 2.75, 3.5])
show('texts', ['1,5', '0,25', '2,75', '3,5'])
for decimal in ('auto', 'dot', 'comma'):
    show('texts, ' + decimal, ['1,5', '0,25', '2,75', '3,5'], decimal=decimal)
PY
echo "mcp-advanced-excel $(env/bin/python -c "import importlib.metadata as m; print(m.version('mcp-advanced-excel'))")"
echo "openpyxl $(env/bin/python -c "import importlib.metadata as m; print(m.version('openpyxl'))")"
env/bin/python run.py | tee out
diff out - <<'END'
numbers alone: [[12.5, 1.5], [0.125, 0.25], [1500, 2.75], [99.99, 3.5], [1612.615, null]] []
texts: [[125, 1.5], [125, 0.25], [1500, 2.75], [9999, 3.5], [1612615, null]] []
texts, auto: [[125, 1.5], [125, 0.25], [1500, 2.75], [9999, 3.5], [1612615, null]] []
texts, dot: [[12.5, 15], [0.125, 25], [1500, 275], [99.99, 35], [1612.615, null]] []
texts, comma: [[125, 1.5], [125, 0.25], [1500, 2.75], [9999, 3.5], [1612615, null]] []
END
