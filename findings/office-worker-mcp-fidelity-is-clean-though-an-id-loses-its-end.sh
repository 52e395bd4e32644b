#!/usr/bin/env bash
# office-worker-mcp 0.9.8 (PyPI), an MCP server for office files, its csv_excel_convert, with mcp 1.30.0 and openpyxl 3.1.5 (PyPI), over stdio.
# Behaviour: the converter keeps "007" as a text, says so in its warnings, and calls the whole "fidelity": "clean". What else it changes is in no warning: an id of 16 digits ends in 2 and not in 3, one of 20 digits is 1.23e+19, version 1.10 is 1.1,
# the name 1_000 is the number 1000. That the field stands in quotes is of no matter. A text that begins with = becomes a formula.
# Seen:   9007199254740993 => 9007199254740992, 12345678901234567890 => 1.234567890123457e+19, 1.10 => 1.1, 1_000 => 1000; fidelity clean
# Expected by most: texts, or each digit, or a warning as for 007.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check office-worker-mcp==0.9.8 mcp==1.30.0 openpyxl==3.1.5
cat > client.py <<'PY'
import json
import os
import subprocess


class Server:
    def __init__(self, *command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, HOME=os.getcwd()))
        self.number = 0
        self.request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'finding', 'version': '1'})
        self.write({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + '\n')
        self.process.stdin.flush()

    def request(self, method, **params):
        self.number += 1
        self.write({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get('id') == self.number:
                return message['result']

    def call(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.request('tools/call', name=tool, arguments=arguments)['content'])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
PY
cat > run.py <<'PY'
import importlib.metadata
import json
import os
import openpyxl
from client import Server

print('office-worker-mcp', importlib.metadata.version('office-worker-mcp'))
server = Server(os.path.abspath('env/bin/office-worker-mcp'))
values = ['007', '0.10', '1.10', '9007199254740993', '12345678901234567890', '12,50', '1_000', 'nan', '1e5', 'true', '+49 30', ' 5', '00', '=A1', '2026-01-02']
with open('in.csv', 'w') as file:
    file.write('text\n' + ''.join(f'"{value}"\n' for value in values))
answer = json.loads(server.call('csv_excel_convert', input=os.path.abspath('in.csv'), output=os.path.abspath('out.xlsx')))
print('fidelity', answer['fidelity'], 'warnings', answer['warnings'])
sheet = openpyxl.load_workbook('out.xlsx').active
for value, (cell,) in zip(values, sheet.iter_rows(min_row=2)):
    print(repr(value), '=>', repr(cell.value), 'formula' if cell.data_type == 'f' else '')
server.close()
PY
env/bin/python run.py | sed 's/ *$//' | tee out
diff out - <<'END'
office-worker-mcp 0.9.8
fidelity clean warnings ["Preservado como texto código con ceros a la izquierda: '007'", "Preservado como texto código con ceros a la izquierda: '00'"]
'007' => '007'
'0.10' => 0.1
'1.10' => 1.1
'9007199254740993' => 9007199254740992
'12345678901234567890' => 1.234567890123457e+19
'12,50' => '12,50'
'1_000' => 1000
'nan' => 'nan'
'1e5' => '1e5'
'true' => True
'+49 30' => '+49 30'
' 5' => 5
'00' => '00'
'=A1' => '=A1' formula
'2026-01-02' => '2026-01-02'
END
