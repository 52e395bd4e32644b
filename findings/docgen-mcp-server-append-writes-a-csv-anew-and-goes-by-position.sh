#!/usr/bin/env bash
# docgen-mcp-server 0.2.4 (PyPI), write_sheet with append: true, read back with the standard library and with the server's own read_sheet.
# Behaviour: for a CSV file append is passed over: the file is written anew with the new rows alone, the old ones are lost, and the answer is the usual "saved". For an xlsx the row is put below, but by
# the order of its keys, not by their names: an amount comes under the article number. Keys that the first record does not have are left out of a new file without a word. The document
# reader of the same server leaves out tables that its own writer made.
# Seen:   CSV of 2 rows, 1 appended: 1 row, other columns / xlsx, {"amount": 2, "code": "A3"} appended: code 2, amount A3 / docx with a table: the text without it
# Expected by most: three rows; each value under its name; the table.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check docgen-mcp-server==0.2.4
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

server = Server('env/bin/docgen-mcp-server')
here = os.getcwd()
rows = [{'code': 'A1', 'amount': 5}, {'code': 'A2', 'amount': 7, 'note': 'fragile'}]
for kind in ('csv', 'xlsx'):
    path = f'{here}/stock.{kind}'
    server.text('write_sheet', path=path, data=rows)
    print(kind, 'written:', json.dumps(json.loads(server.text('read_sheet', path=path, asJson=True))))
    said = server.text('write_sheet', path=path, data=[{'amount': 2, 'code': 'A3'}], append=True)
    print(kind, 'said:', said.replace(here + '/', ''))
    print(kind, 'appended:', json.dumps(json.loads(server.text('read_sheet', path=path, asJson=True))))
server.text('write_doc', path=f'{here}/note.docx', type='docx', contentFormat='markdown', content='# Stock\n\nAs of May:\n\n| code | amount |\n|---|---|\n| A1 | 5 |\n\nSigned.\n')
print('document:', server.text('read_doc', path=f'{here}/note.docx').split('\n'))
PY
echo "docgen-mcp-server $(env/bin/python -c "import importlib.metadata as m; print(m.version('docgen-mcp-server'))")"
env/bin/python run.py | tee out
diff out - <<'END'
csv written: [{"code": "A1", "amount": "5"}, {"code": "A2", "amount": "7"}]
csv said: CSV gravado em stock.csv (1 linha(s)).
csv appended: [{"amount": "2", "code": "A3"}]
xlsx written: [{"code": "A1", "amount": 5}, {"code": "A2", "amount": 7}]
xlsx said: Linhas anexadas em stock.xlsx (1 linha(s)).
xlsx appended: [{"code": "A1", "amount": 5}, {"code": "A2", "amount": 7}, {"code": 2, "amount": "A3"}]
document: ['Stock', 'As of May:', '', 'Signed.']
END
