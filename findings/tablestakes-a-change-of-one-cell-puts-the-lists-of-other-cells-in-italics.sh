#!/usr/bin/env bash
# tablestakes 1.1.0 (PyPI), an MCP server that edits tables in Markdown and promises to keep attributes and inline formatting, with fastmcp 4.2.3, markdownify 1.2.3 and beautifulsoup4 4.15.0 (PyPI), over stdio.
# Behaviour: a change of one cell writes each other cell of an HTML table anew. A list in a cell becomes words in italics: the stars of "* a" are taken for emphasis. Paragraphs become line breaks, steps of a
# numbered list are plain "1. a" lines. Only the cell that the call names should change; the answer is a new version and no warning.
# Seen:   cell (0, Name) set to "Uno": <ul><li>a</li><li>b</li></ul> in the next cell becomes <em> a<br/></em> b
# Expected by most: the other cells letter for letter as they were.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tablestakes==1.1.0 fastmcp==4.2.3 markdownify==1.2.3 beautifulsoup4==4.15.0
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
cat > doc.md <<'MD'
# Work

<table><thead><tr><th width="90">Name</th><th>Steps</th></tr></thead><tbody><tr><td>One</td><td><ul><li>mix</li><li>bake</li></ul></td></tr><tr><td>Two</td><td><p>first</p><p>second</p></td></tr><tr><td>Three</td><td><ol><li>lay</li><li>glue</li></ol></td></tr><tr><td>Four</td><td><b>bold</b> <code>x</code></td></tr></tbody></table>
MD
cat > run.py <<'PY'
import re
from peer import connect

call = connect('env/bin/tablestakes')
version = re.search('v:([0-9a-f]+)', call('read_table', file_path='doc.md', table_index=0))[1]
answer = call('update_cells', file_path='doc.md', table_index=0, version=version, updates=[{'row': 0, 'column': 'Name', 'value': 'Uno'}])
print('answer is only a version:', bool(re.fullmatch('v:[0-9a-f]+', answer)))
print(open('doc.md').read().replace('<tr>', '\n<tr>').split('\n', 2)[2].strip())
PY
echo "tablestakes $(env/bin/python -c "import importlib.metadata as m; print(m.version('tablestakes'))")"
python3 run.py | tee out
diff out - <<'END'
answer is only a version: True
<table><thead>
<tr><th width="90">Name</th><th>Steps</th></tr></thead><tbody>
<tr><td>Uno</td><td><em> mix<br/></em> bake</td></tr>
<tr><td>Two</td><td>first<br/><br/>second</td></tr>
<tr><td>Three</td><td>1. lay<br/>2. glue</td></tr>
<tr><td>Four</td><td><strong>bold</strong> <code>x</code></td></tr></tbody></table>
END
