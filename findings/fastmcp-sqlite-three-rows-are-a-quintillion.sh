#!/usr/bin/env bash
# fastmcp-sqlite 1.0.0 (PyPI), over stdio: schema, table_info and query on a small database.
# Behaviour: the "Est. Rows" of a table is its greatest rowid, not a count: three rows with ids of a message service are some 1,234,567,890,123,456,789 rows, and a log
# from which the old rows are deleted every day has as many as ever were written. The overview of the whole database says the same. In JSON one of two columns with the
# same name is gone, and a line break within a text is a space in the Markdown table, so that two lines cannot be told from one.
# Seen:   3 rows, large ids: 1,234,567,890,123,456,789 / 1,000 rows, 990 of them deleted: 1,000 / a.id, b.id as JSON: b.id alone
# Expected by most: an estimate near 3 and near 10.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastmcp-sqlite==1.0.0
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
import sqlite3
from client import Server

file = os.path.abspath('shop.db')
base = sqlite3.connect(file)
base.executescript('CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE log (id INTEGER PRIMARY KEY); CREATE TABLE item (id INTEGER PRIMARY KEY);')
base.executemany('INSERT INTO message VALUES (?, ?)', [(1234567890123456787 + i, f'line one\nline {i}') for i in range(3)])
base.executemany('INSERT INTO log VALUES (?)', [(i,) for i in range(1, 1001)])
base.execute('DELETE FROM log WHERE id <= 990')
base.executemany('INSERT INTO item VALUES (?)', [(i,) for i in range(1, 101)])
base.commit()
server = Server('env/bin/fastmcp-sqlite', env=dict(os.environ, HOME=os.getcwd()))
for table in ('message', 'log', 'item'):
    rows = base.execute(f'SELECT count(*) FROM {table}').fetchone()[0]
    print(f'{table}: {rows} rows, table_info says', re.search('Est. Rows:\\W*([~0-9,]+)', server.text('table_info', db=file, table=table)).group(1))
print('schema:', re.findall(r'^### .*', server.text('schema', db=file), re.M))


def ask(sql, **more):
    text = server.text('query', db=file, sql=sql, **more)
    return re.search('Rows Returned:.*', text).group(0).replace('*', ''), ' '.join(text.split('\n')[2:]) if len(text) < 300 else ''


print('two columns:', *ask('SELECT a.id, b.id FROM item a, item b WHERE a.id = 1 AND b.id = 2', format='json'))
print('line break:', *ask('SELECT text FROM message LIMIT 1'))
PY
echo "fastmcp-sqlite $(env/bin/python -c "import importlib.metadata as m; print(m.version('fastmcp-sqlite'))")"
env/bin/python run.py | tee out
diff out - <<'END'
message: 3 rows, table_info says 1,234,567,890,123,456,789
log: 10 rows, table_info says 1,000
item: 100 rows, table_info says 100
schema: ['### Table: `item` (TABLE) | Est. Rows: ~100', '### Table: `log` (TABLE) | Est. Rows: ~1,000', '### Table: `message` (TABLE) | Est. Rows: ~1,234,567,890,123,456,789']
two columns: Rows Returned: 1 ```json [   {     "id": 2   } ] ```
line break: Rows Returned: 1 | text | | :--- | | line one line 0 |
END
