#!/usr/bin/env bash
# mcp-sqlite 1.0.9 (npm), its tools read_records, update_records and query, over stdio on a small database.
# Behaviour: a condition of null is sent as `done = NULL`, which is true of no row: what is not done is not found, and an update of it changes nothing and says "updated
# successfully". An offset without a limit is passed over, so that a second page is the first one again. Of several statements in one query only the first is carried out,
# without a word; of two columns with one name one is left.
# Seen:   {"done": null}: no rows, though two have none / update: "Records updated successfully", 0 / offset 2: all 4 rows / two INSERTs: one row more
# Expected by most: IS NULL; the rows behind the offset; both statements, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mcp-sqlite@1.0.9
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
import sqlite3
from client import Server

base = sqlite3.connect('shop.db')
base.execute('CREATE TABLE job (id INTEGER PRIMARY KEY, name TEXT, done INTEGER)')
base.executemany('INSERT INTO job VALUES (?, ?, ?)', [(1, 'paint', 1), (2, 'clean', None), (3, 'sell', 0), (4, 'write', None)])
base.commit()
server = Server('node_modules/.bin/mcp-sqlite-server', 'shop.db')


def names(**arguments):
    return ' '.join(row['name'] for row in json.loads(server.text('read_records', table='job', **arguments)))


print('done is null:', names(conditions={'done': None}) or 'no rows')
print('update:', json.loads(server.text('update_records', table='job', data={'done': 0}, conditions={'done': None})))
print('offset 2:', names(offset=2))
print('offset 2, limit 10:', names(offset=2, limit=10))
print('join:', json.loads(server.text('query', sql='SELECT a.name, b.name FROM job a JOIN job b ON b.id = a.id + 1 WHERE a.id = 1')))
print('two statements:', server.text('query', sql="INSERT INTO job (name) VALUES ('one'); INSERT INTO job (name) VALUES ('two')"))
print('rows now:', names())
PY
echo "mcp-sqlite $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcp-sqlite/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
done is null: no rows
update: {'message': 'Records updated successfully', 'rowsAffected': 0}
offset 2: paint clean sell write
offset 2, limit 10: sell write
join: [{'name': 'clean'}]
two statements: []
rows now: paint clean sell write one
END
