#!/usr/bin/env bash
# mcpproducts-office 0.1.1 (PyPI), an MCP server for office files, with mcp 1.30.0 and openpyxl 3.1.5 (PyPI), over stdio.
# Behaviour: xlsx_write takes its columns from the first record. What later records have beside them is not written; the answer is "ok" with the number of rows. (csv_write ends with an error then, and the rows before are in the file.)
# Of two columns with one head the first is lost when a sheet is read. csv_head finds out that a file has semicolons, and convert_tabular does not: "1,5;2" becomes 1 and a rest under the key null, counted as one good row.
# Seen:   [{a: 1}, {a: 2, discount: 5}] written: ok, rows 2; read back: a alone; Q1 of two columns "Q1": the second; {"a;b": "1", "null": ["5;2"]}
# Expected by most: all columns, with gaps; both columns; a: 1,5 and b: 2.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcpproducts-office==0.1.1 mcp==1.30.0 openpyxl==3.1.5
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

print('mcpproducts-office', importlib.metadata.version('mcpproducts-office'))
server = Server(os.path.abspath('env/bin/office-mcp'))
here = os.getcwd()


def rows(path):
    return json.dumps(json.loads(server.call('xlsx_read', path=path))['rows'])


written = json.loads(server.call('xlsx_write', output_path=here + '/a.xlsx', rows=[{'a': 1}, {'a': 2, 'discount': 5}]))
print('written: ok', written['ok'], 'rows', written['rows'])
print('read back:', rows(here + '/a.xlsx'))
written = json.loads(server.call('xlsx_write', output_path=here + '/b.xlsx', rows=[{'a': 1, 'discount': None}, {'a': 2, 'discount': 5}]))
print('with a gap in the first record:', rows(here + '/b.xlsx'))
book = openpyxl.Workbook()
for row in [['name', 'Q1', 'Q1'], ['Ann', 100, 7]]:
    book.active.append(row)
book.save('c.xlsx')
print('two heads alike:', rows(here + '/c.xlsx'))
with open('d.csv', 'w') as file:
    file.write('a;b\n1,5;2\n')
print('csv_head:', json.dumps(json.loads(server.call('csv_head', path=here + '/d.csv'))['rows']))
converted = json.loads(server.call('convert_tabular', path=here + '/d.csv', to_format='json', output_path=here + '/d.json'))
print('convert_tabular: ok', converted['ok'], 'rows', converted['rows'], json.dumps(json.load(open('d.json'))))
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
mcpproducts-office 0.1.1
written: ok True rows 2
read back: [{"a": 1}, {"a": 2}]
with a gap in the first record: [{"a": 1, "discount": null}, {"a": 2, "discount": 5}]
two heads alike: [{"name": "Ann", "Q1": 7}]
csv_head: [{"a": "1,5", "b": "2"}]
convert_tabular: ok True rows 1 [{"a;b": "1", "null": ["5;2"]}]
END
