#!/usr/bin/env bash
# mcp-csv-database 0.1.7 (PyPI), an MCP server that loads a folder of CSV files into SQLite, with mcp 1.30.0 (PyPI), over stdio: load_csv_folder.
# Behaviour: the table's name is the file's name with an underscore for each other sign. "sales-2025.csv", "sales 2025.csv" and "sales_2025.csv" are all sales_2025: each takes the place of the one before. The report has
# a success for every file, with the number of its rows, and "successful_loads" counts them all. A total over the tables then has a third of the sales. Which file is left depends on the order of the folder.
# Seen:   3 of 3 loads successful, 6 rows reported; 1 table, 2 rows, total 30 of 90
# Expected by most: three tables, or an error for a name that is taken.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-csv-database==0.1.7 mcp==1.30.0
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
        lines = (json.loads(line) for line in self.process.stdout if line.startswith('{'))
        return next(message for message in lines if message.get('id') == self.last)['result']

    def text(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.ask('tools/call', {'name': tool, 'arguments': arguments})['content'])
PY
cat > run.py <<'PY'
import json
import os
import pathlib
from client import Server

folder = pathlib.Path('in')
folder.mkdir()
for name in ('sales-2025', 'sales 2025', 'sales_2025'):
    (folder / (name + '.csv')).write_text('item,amount\npen,10\nink,20\n')
server = Server(os.path.abspath('env/bin/mcp-csv-database'), env=dict(os.environ, HOME=os.getcwd()))
report = json.loads(server.text('load_csv_folder', folder_path=str(folder.absolute())))
print('report:', report['successful_loads'], 'of', report['total_files'], 'loads successful,', sum(one['rows'] for one in report['files']), 'rows,', {one['status'] for one in report['files']})
print('named in the report:', sorted({one['table_name'] for one in report['files']}))
print('tables:', [one['name'] for one in json.loads(server.text('list_loaded_tables'))['tables']])
print('rows and total:', json.loads(server.text('execute_sql_query', query='SELECT count(*) AS n, sum(amount) AS total FROM sales_2025'))['data'])
PY
echo "mcp-csv-database $(env/bin/python -c "import importlib.metadata as m; print(m.version('mcp-csv-database'))")"
python3 run.py | tee out
diff out - <<'END'
report: 3 of 3 loads successful, 6 rows, {'success'}
named in the report: ['sales_2025']
tables: ['sales_2025']
rows and total: [{'n': 2, 'total': 30}]
END
