#!/usr/bin/env bash
# aifmt 0.1.0a1 (PyPI), an MCP server that "fixes, validates, and generates visual text content", with mcp 1.30.0 (PyPI): the tool fix over stdio.
# Behaviour: in the default mode ("all") a box is taken for a tree. The frame of a box that was right is taken away: of three lines one is left, "one |". A drawing of two boxes with an arrow loses all frames, and the report
# says "Fixed tree diagram alignment". In a table a bar that is escaped, or stands in code, begins a new column: the cell x\|y becomes "x\" and "y", and the head gets a third, empty column.
# Seen:   "+-----+\n| one |\n+-----+" becomes "one |" / "| x\|y | 1 |" becomes "| x\ | y | 1 |"
# Expected by most: a box that is right stays as it is; two columns.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check aifmt==0.1.0a1 mcp==1.30.0
cat > peer.py <<'PY'
import json
import os
import subprocess


def connect(*command, **env):
    child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, 'HOME': os.getcwd(), **env})

    def ask(method, **params):
        first = '' if method != 'tools/call' else json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'
        print(first + json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}), file=child.stdin, flush=True)
        while not ((line := next(child.stdout)).startswith('{') and 'result' in line and (reply := json.loads(line)).get('id') == 7):
            pass
        return reply['result']

    ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'peer', 'version': '1'})
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in ask('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
from peer import connect

fix = connect('env/bin/aifmt')
BOX = '+-----+\n| one |\n+-----+\n'
ARROW = '┌────────┐\n│ Client │\n└────────┘\n    v\n┌────────┐\n│ Server │\n└────────┘\n'
TABLE = '| match | n |\n|-------|--:|\n| x\\|y  | 1 |\n| `a|b` | 2 |\n'
for name, text, more in [('box', BOX, {}), ('box, mode boxes', BOX, {'mode': 'boxes'}), ('arrow', ARROW, {}), ('table', TABLE, {'mode': 'tables'})]:
    print(f'-- {name}')
    print('\n'.join(line for line in fix('fix', content=text, **more).splitlines() if line and line != '---'))
PY
echo "aifmt $(env/bin/python -c "import importlib.metadata as m; print(m.version('aifmt'))")"
python3 run.py | tee out
diff out - <<'END'
-- box
one |
## Fixes applied
- Fixed tree diagram alignment (lines 1–3)
-- box, mode boxes
+-----+
| one |
+-----+
_No alignment issues found._
-- arrow
Client │
v
└── Server │
## Fixes applied
- Fixed tree diagram alignment (lines 1–7)
-- table
| match | n   |     |
| ----- | --: | --- |
| x\    | y   | 1   |
| `a    | b`  | 2   |
## Fixes applied
- Fixed table alignment (3 columns, 2 data rows)
END
