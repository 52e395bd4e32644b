#!/usr/bin/env bash
# PyPI mcp-server-spreadsheet 0.3.3 with mcp 1.28.0 and duckdb 1.5.4, an MCP server for workbooks and CSV files, asked over stdio; openpyxl 3.1.5 writes and reads the workbook.
# Behaviour: sql_execute that sets one price answers "affected_rows": 1, and has changed the whole column beside it: each quantity is now a text, '1' for 1, because the last row
# of that column is a formula. Excel's SUM leaves texts out, so the sum is 0. insert_rows moves cells and no formula: the rows below multiply the cells of the row
# above them, and the sum leaves out the last item. One cell written into a CSV file rewrites the others: 001 is 1, 2.00 is 2.0, 1e5 is 100000.0.
# Seen:   UPDATE S SET price = 3 WHERE id = '002': qty 1 2 3 becomes '1' '2' '3' / row inserted: 002 has =C3*D3 in row 4, the sum is C2:C4 / 001,2.00,1e5 becomes 1,2.0,100000.0
# Expected by most: one cell changed; formulas that move along; the other lines of the CSV file as they were.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-server-spreadsheet==0.3.3 mcp==1.28.0 duckdb==1.5.4 openpyxl==3.1.5
cat > run.py <<'PY'
import json
import os
import subprocess
import openpyxl

server = subprocess.Popen(['env/bin/mcp-server-spreadsheet'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == number:
            return json.loads(line)['result']


def call(name, **values):
    print('answer:', ask('tools/call', {'name': name, 'arguments': values})['content'][0]['text'].replace('\n', ''))


def make():
    book = openpyxl.Workbook()
    book.active.title = 'S'
    rows = [['id', 'qty', 'price', 'total'], ['001', 1, 2.5, '=B2*C2'], ['002', 2, 2.5, '=B3*C3'], ['003', 3, 2.5, '=B4*C4'], ['Sum', '=SUM(B2:B4)', None, '=SUM(D2:D4)']]
    for row in rows:
        book.active.append(row)
    book.save('book.xlsx')


def show():
    for row in openpyxl.load_workbook('book.xlsx').active.iter_rows():
        print(' ', *(repr(cell.value) for cell in row))


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
path = os.getcwd() + '/book.xlsx'
print("UPDATE S SET price = 3 WHERE id = '002'")
make()
call('sql_execute', file=path, sql="UPDATE S SET price = 3 WHERE id = '002'")
show()
print('a row inserted as row 3')
make()
call('insert_rows', file=path, sheet='S', row=3, data=[['new', 7, 1]])
show()
with open('list.csv', 'w') as file:
    file.write('id,amount,note\n001,2.00,"a, b"\n0002,1e5,c\n9007199254740993,1_000,d\n')
print('one cell of a CSV file written')
call('write_cell', file=os.getcwd() + '/list.csv', cell='C3', value='hello')
print(*('  ' + line.rstrip('\n') for line in open('list.csv')), sep='\n')
server.kill()
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('mcp-server-spreadsheet', 'mcp', 'duckdb', 'openpyxl')))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
UPDATE S SET price = 3 WHERE id = '002'
answer: {  "affected_rows": 1}
  'id' 'qty' 'price' 'total'
  '001' '1' 2.5 '=B2*C2'
  '002' '2' 3 '=B3*C3'
  '003' '3' 2.5 '=B4*C4'
  'Sum' '=SUM(B2:B4)' None '=SUM(D2:D4)'
a row inserted as row 3
answer: Inserted 1 rows at row 3
  'id' 'qty' 'price' 'total'
  '001' 1 2.5 '=B2*C2'
  'new' 7 1 None
  '002' 2 2.5 '=B3*C3'
  '003' 3 2.5 '=B4*C4'
  'Sum' '=SUM(B2:B4)' None '=SUM(D2:D4)'
one cell of a CSV file written
answer: Wrote to C3
  id,amount,note
  1,2.0,"a, b"
  2,100000.0,hello
  9007199254740993,1000,d
END
