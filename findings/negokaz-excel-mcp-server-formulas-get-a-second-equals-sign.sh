#!/usr/bin/env bash
# @negokaz/excel-mcp-server 0.12.0 (npm), over stdio; the workbook is read back with openpyxl 3.1.5 (PyPI).
# Behaviour: a formula that is written with excel_write_to_sheet, "=A1*2", goes into the file with its equals sign, where the format has none: other readers see "==A1*2". No value is
# stored with it, so that whoever reads values gets nothing, and the cell is marked as a text. The server's own reading hides both: it calculates, and shows "=A1*2". A formula by openpyxl
# beside it is as it should be.
# Seen:   file: <f>=A1*2</f>, t="str" / openpyxl: ==A1*2, value None / the server: 42, =A1*2
# Expected by most: <f>A1*2</f>, as every other writer does.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @negokaz/excel-mcp-server@0.12.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check openpyxl==3.1.5
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
import os
import re
import zipfile
import openpyxl
from client import Server

file = os.path.abspath('book.xlsx')
book = openpyxl.Workbook()
book.active.title = 'S'
book.active.append([21, '=A1*2'])
book.save(file)
server = Server('node_modules/.bin/excel-mcp-server')
server.text('excel_write_to_sheet', fileAbsolutePath=file, sheetName='S', newSheet=False, range='C1:C1', values=[['=A1*2']])
print('file:', ' '.join(re.findall(r'<c r="[BC]1".*?</c>', zipfile.ZipFile(file).read('xl/worksheets/sheet1.xml').decode())))
sheet = openpyxl.load_workbook(file)['S']
print('openpyxl, formulas:', sheet['B1'].value, sheet['C1'].value)
print('openpyxl, value of C1:', openpyxl.load_workbook(file, data_only=True)['S']['C1'].value)
for formulas in (False, True):
    text = server.text('excel_read_sheet', fileAbsolutePath=file, sheetName='S', range='A1:C1', showFormula=formulas)
    print('the server:', ' '.join(re.findall('<td>([^<]*)</td>', text)))
PY
echo "@negokaz/excel-mcp-server $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@negokaz/excel-mcp-server/package.json')).version")"
echo "openpyxl $(env/bin/python -c "import importlib.metadata as m; print(m.version('openpyxl'))")"
env/bin/python run.py | tee out
diff out - <<'END'
file: <c r="B1"><f>A1*2</f></c> <c r="C1" t="str"><f>=A1*2</f></c>
openpyxl, formulas: =A1*2 ==A1*2
openpyxl, value of C1: None
the server: 21 42 42
the server: 21 =A1*2 =A1*2
END
