#!/usr/bin/env bash
# @kimuson/modular-mcp 0.0.5 (npm), an MCP server that stands before groups of other servers, over stdio; behind it a small server whose list of tools has two pages.
# Behaviour: get-modular-tools shows the first page of a group's tools alone and says nothing of more. The other tools can be called by name, but a model never learns of them. Of a result the blocks of content are passed on; structuredContent
# and _meta are dropped, so a server that puts its data there gives an empty answer.
# Seen:   4 tools behind: 2 listed / result with structuredContent: {"content": [{"type": "text", "text": "see the data"}]}
# Expected by most: all four; the result as it came.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @kimuson/modular-mcp@0.0.5
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
cat > behind.py <<'PY'
import json
import sys

tools = [{'name': name, 'description': name, 'inputSchema': {'type': 'object'}} for name in ('list', 'read', 'write', 'delete')]
for line in sys.stdin:
    message = json.loads(line)
    if 'id' not in message:
        continue
    parameters = message.get('params') or {}
    if message['method'] == 'initialize':
        result = {'protocolVersion': parameters['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'behind', 'version': '1'}}
    elif message['method'] == 'tools/list':
        result = {'tools': tools[2:]} if parameters.get('cursor') == 'more' else {'tools': tools[:2], 'nextCursor': 'more'}
    else:
        result = {'content': [{'type': 'text', 'text': 'see the data'}], 'structuredContent': {'total': 12.5}, '_meta': {'page': 1}}
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import json
import pathlib
import sys
from client import Server

direct = Server(sys.executable, 'behind.py')
print('direct:', json.dumps(direct.ask('tools/call', {'name': 'list', 'arguments': {}})))
config = {'mcpServers': {'files': {'description': 'Files.', 'command': sys.executable, 'args': [str(pathlib.Path('behind.py').absolute())]}}}
pathlib.Path('config.json').write_text(json.dumps(config))
server = Server('node', 'node_modules/@kimuson/modular-mcp/dist/index.js', 'config.json')
print('listed:', [tool['name'] for tool in json.loads(server.text('get-modular-tools', group='files'))])
for name in ('list', 'delete'):
    answer = server.ask('tools/call', {'name': 'call-modular-tool', 'arguments': {'group': 'files', 'name': name, 'args': {}}})
    print(name + ':', json.dumps(answer))
for one in (direct, server):
    one.process.kill()
PY
echo "@kimuson/modular-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@kimuson/modular-mcp/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
direct: {"content": [{"type": "text", "text": "see the data"}], "structuredContent": {"total": 12.5}, "_meta": {"page": 1}}
listed: ['list', 'read']
list: {"content": [{"type": "text", "text": "see the data"}]}
delete: {"content": [{"type": "text", "text": "see the data"}]}
END
