#!/usr/bin/env bash
# mcpproducts-extract 0.1.1 (PyPI, server extract-mcp), its tool extract_tables on HTML as text.
# Behaviour: of a table that has a table in one of its cells only the inner one is given: the rows of the outer one are lost, those before the inner table too, and the count says 1. If the inner one has one
# row, nothing is given at all. A cell over two columns or two rows is one cell, so that the figures behind it stand under another head. Words before and behind a line break in a cell grow together.
# Seen:   3 rows, an inner table of 2 in the last: count 1, the inner rows / inner table of 1 row: count 0 / rowspan: ["cup", "3"] under shop and item / "pen<br>blue": "penblue"
# Expected by most: two tables; figures under their heads.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcpproducts-extract==0.1.1
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
from client import Server

server = Server('env/bin/extract-mcp')
rows = '<tr><th>item</th><th>sizes</th></tr><tr><td>pen</td><td>one</td></tr>'
pages = {
    'plain': f'<table>{rows}</table>',
    'two rows inside': f'<table>{rows}<tr><td>cup</td><td><table><tr><td>S</td><td>3</td></tr><tr><td>L</td><td>4</td></tr></table></td></tr></table>',
    'one row inside': f'<table>{rows}<tr><td>cup</td><td><table><tr><td>S</td><td>3</td></tr></table></td></tr></table>',
    'rowspan': '<table><tr><th>shop</th><th>item</th><th>cost</th></tr><tr><td rowspan="2">Bonn</td><td>pen</td><td>2</td></tr><tr><td>cup</td><td>3</td></tr></table>',
    'colspan': '<table><tr><th colspan="2">2025</th><th>2026</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    'break': '<table><tr><th>item</th><th>cost</th></tr><tr><td>pen<br>blue</td><td>2</td></tr></table>',
}
for name, page in pages.items():
    answer = json.loads(server.text('extract_tables', url_or_html=page))
    print(name + ':', answer['count'], json.dumps(answer['tables']))
PY
echo "mcpproducts-extract $(env/bin/python -c "import importlib.metadata as m; print(m.version('mcpproducts-extract'))")"
env/bin/python run.py | tee out
diff out - <<'END'
plain: 1 [[["item", "sizes"], ["pen", "one"]]]
two rows inside: 1 [[["S", "3"], ["L", "4"]]]
one row inside: 0 []
rowspan: 1 [[["shop", "item", "cost"], ["Bonn", "pen", "2"], ["cup", "3"]]]
colspan: 1 [[["2025", "2026"], ["1", "2", "3"]]]
break: 1 [[["item", "cost"], ["penblue", "2"]]]
END
