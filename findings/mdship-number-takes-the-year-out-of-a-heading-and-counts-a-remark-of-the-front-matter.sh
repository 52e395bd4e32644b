#!/usr/bin/env bash
# mdship 1.4.0 (PyPI), a tool and MCP server that edits Markdown, with mcp 2.3.0 (PyPI): the MCP tools number, unnumber and list_headings over stdio.
# Behaviour: number puts numbers before headings, and first takes away what it holds for older numbers: any figures at the start, so the year of "2026 budget" and the 3.5 of "3.5 litres" are lost, and two headings are alike.
# unnumber does the same to a file that never had numbers. A remark in the front matter (a line with #) is a heading for both and for list_headings: it gets number 1, and the title of the text becomes 2.
# Seen:   "## 2025 budget" and "## 2026 budget" become "2.1. budget" and "2.2. budget" / "# set by hand" in the front matter becomes "# 1. set by hand", "# Years" becomes "# 2. Years"
# Expected by most: "1.1. 2025 budget"; the front matter as it is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mdship==1.4.0 mcp==2.3.0
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

TEXT = '---\ntitle: Plan\n# set by hand\n---\n# Years\n\n## 2025 budget\n\n## 2026 budget\n\n## 3.5 litres a day\n\n## 3D prints\n'
call = connect('env/bin/mdship', 'mcp')
for tool in ['number', 'unnumber']:
    open('doc.md', 'w').write(TEXT)
    print(tool, call(tool, path='doc.md', backup=False).split(':')[0])
    print(''.join(line for line in open('doc.md') if line.strip()), end='')
open('doc.md', 'w').write(TEXT)
print(call('list_headings', path='doc.md'))
PY
echo "mdship $(env/bin/python -c "import importlib.metadata as m; print(m.version('mdship'))")"
python3 run.py | tee out
diff out - <<'END'
number OK
---
title: Plan
# 1. set by hand
---
# 2. Years
## 2.1. budget
## 2.2. budget
## 2.3. litres a day
## 2.4. 3D prints
unnumber OK
---
title: Plan
# set by hand
---
# Years
## budget
## budget
## litres a day
## 3D prints
[{"level": 1, "text": "set by hand", "line": 3, "path": "set by hand"}, {"level": 1, "text": "Years", "line": 5, "path": "Years"}, {"level": 2, "text": "2025 budget", "line": 7, "path": "Years > 2025 budget"}, {"level": 2, "text": "2026 budget", "line": 9, "path": "Years > 2026 budget"}, {"level": 2, "text": "3.5 litres a day", "line": 11, "path": "Years > 3.5 litres a day"}, {"level": 2, "text": "3D prints", "line": 13, "path": "Years > 3D prints"}]
END
