#!/usr/bin/env bash
# tryll-dataset-builder-mcp 1.3.1 (npm), over stdio, with its files in a folder of this machine.
# Behaviour: update_chunk says "only provided fields will be changed", but the custom metadata as a whole is put in place of what was there: one field added takes away all
# the others. And every text that is added without a licence gets the licence "CC BY-NC-SA 3.0", which nobody named, and takes it along into the export.
# Seen:   shelf 4, colour red; update with {"size": "big"}: only size is left / licence of our own text: CC BY-NC-SA 3.0
# Expected by most: the fields put together; no licence.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund tryll-dataset-builder-mcp@1.3.1
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

server = Server('node_modules/.bin/tryll-dataset-builder-mcp', env=dict(os.environ, HOME=os.getcwd(), DATA_DIR=os.getcwd()))
server.text('create_project', name='Shop')
server.text('create_category', project='Shop', name='Goods')
server.text('add_chunk', project='Shop', category='Goods', id='pen', text='A pen costs 2 euros.', metadata={'colour': 'red', 'shelf': '4'})


def show(when):
    chunk = json.loads(server.text('export_project', project='Shop'))['data'][0]
    print(when + ':', json.dumps(chunk['metadata']))


show('added')
print('update:', ' '.join(server.text('update_chunk', project='Shop', id='pen', metadata={'size': 'big'}).split()))
show('updated')
server.text('bulk_update_metadata', project='Shop', field='colour', value='blue')
show('bulk update')
PY
echo "tryll-dataset-builder-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/tryll-dataset-builder-mcp/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
added: {"page_title": "", "source": "", "license": "CC BY-NC-SA 3.0", "colour": "red", "shelf": "4"}
update: { "updated": "pen", "category": "Goods" }
updated: {"page_title": "", "source": "", "license": "CC BY-NC-SA 3.0", "size": "big"}
bulk update: {"page_title": "", "source": "", "license": "CC BY-NC-SA 3.0", "size": "big", "colour": "blue"}
END
