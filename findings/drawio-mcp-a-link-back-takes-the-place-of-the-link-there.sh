#!/usr/bin/env bash
# drawio-mcp 1.6.0 (npm), over stdio: new_diagram, add_nodes and link_nodes.
# Behaviour: between two nodes there is one link, whichever way it goes. A second link, also one in the other direction, does not come beside the first: it is written over it, with the
# new words and the OLD direction, and link_nodes says "Linked nodes". So "answer" from the server to the client becomes an arrow from the client to the server. And a node that is added
# under an id that is taken becomes one more node with a number for its id, so that later links and edits by the id meet the old one.
# Seen:   client > server "ask", server > client "answer": one edge, client > server "answer" / add client again: a third node, id 2
# Expected by most: two edges; an error for an id that is taken.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund drawio-mcp@1.6.0
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
import re
from client import Server

server = Server('node_modules/.bin/drawio-mcp')
file = 'plan.drawio.svg'


def show(when):
    text = server.text('get_diagram_info', file_path=file)
    nodes = re.findall(r'<mxCell id="([^"]*)" value="([^"]*)" parent="1" vertex', text)
    edges = re.findall(r'value="([^"]*)"[^>]* source="([^"]*)" target="([^"]*)" edge', text)
    print(when + ': nodes', ', '.join(f'{name} "{title}"' for name, title in nodes), '/ edges', ', '.join(f'{start} > {end} "{title}"' for title, start, end in edges))


server.text('new_diagram', file_path=file)
server.text('add_nodes', file_path=file, nodes=[{'id': 'client', 'title': 'Client', 'x': 0, 'y': 0}, {'id': 'server', 'title': 'Server', 'x': 300, 'y': 0}])
print(server.text('link_nodes', file_path=file, edges=[{'from': 'client', 'to': 'server', 'title': 'ask'}]))
show('ask')
print(server.text('link_nodes', file_path=file, edges=[{'from': 'server', 'to': 'client', 'title': 'answer'}]))
show('ask and answer')
print(server.text('add_nodes', file_path=file, nodes=[{'id': 'client', 'title': 'Browser', 'x': 0, 'y': 200}]))
show('client again')
PY
echo "drawio-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/drawio-mcp/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
Linked nodes in plan.drawio.svg
ask: nodes client "Client", server "Server" / edges client > server "ask"
Linked nodes in plan.drawio.svg
ask and answer: nodes client "Client", server "Server" / edges client > server "answer"
Nodes added to plan.drawio.svg
client again: nodes client "Client", server "Server", 2 "Browser" / edges client > server "answer"
END
