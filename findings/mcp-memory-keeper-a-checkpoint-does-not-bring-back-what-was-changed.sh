#!/usr/bin/env bash
# mcp-memory-keeper 0.14.1 (npm), over stdio: context_save, context_checkpoint and context_restore_checkpoint.
# Behaviour: a checkpoint holds no values, only which entries there were. What is saved again under its key, or deleted, after the checkpoint is not in it any more: the
# restore brings back what nobody touched, and says "Successfully restored". An update in place gives the NEW value. And saving a key again without category and
# priority takes both away: a decision of high priority is then an entry of none.
# Seen:   5 items in the checkpoint; one saved again, one deleted, one updated: 3 restored, the updated one with its new value
# Expected by most: the five values of the moment of the checkpoint.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mcp-memory-keeper@0.14.1
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

server = Server('node_modules/.bin/mcp-memory-keeper', env=dict(os.environ, HOME=os.getcwd(), DATA_DIR=os.getcwd()))
server.text('context_session_start', name='work')
for key, value in [('host', 'db1'), ('name', 'shop'), ('port', '5432'), ('size', '10'), ('user', 'ann')]:
    server.text('context_save', key=key, value=value, category='decision', priority='high')


def show(when, session=''):
    found = json.loads(server.text('context_get', sort='key_asc', limit=50))['items']
    print(when + ':', ' '.join(f"{item['key']}={item['value']} ({item['category']}, {item['priority']})" for item in found if item['session_id'].startswith(session)))


show('before')
print([line for line in server.text('context_checkpoint', name='good').split('\n') if 'items' in line])
server.text('context_save', key='port', value='9999')
server.text('context_batch_update', updates=[{'key': 'size', 'value': '0'}])
server.text('context_batch_delete', keys=['user'])
show('changed')
said = server.text('context_restore_checkpoint', name='good')
print([line for line in said.split('\n') if 'items:' in line])
show('restored', said.split('New Session: ')[1][:8])
PY
echo "mcp-memory-keeper $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcp-memory-keeper/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
before: host=db1 (decision, high) name=shop (decision, high) port=5432 (decision, high) size=10 (decision, high) user=ann (decision, high)
['Context items: 5']
changed: host=db1 (decision, high) name=shop (decision, high) port=9999 (None, normal) size=0 (decision, high)
['- Context items: 3']
restored: host=db1 (decision, high) name=shop (decision, high) size=0 (decision, high)
END
