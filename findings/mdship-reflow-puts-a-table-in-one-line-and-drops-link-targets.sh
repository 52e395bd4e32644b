#!/usr/bin/env bash
# mdship 1.4.0 (PyPI), a tool and MCP server that edits Markdown, with mcp 2.3.0 (PyPI): the MCP tool reflow with a width, asked over stdio.
# Behaviour: reflow is there to fold paragraphs. The lines of a table are folded as if they were one paragraph, so a table ends up in one line and is none any more. Lines that end with two blanks
# or a backslash run together. The nested item below a numbered one is glued to its last word. Link definitions are gone, so the links that use them lead nowhere. The answer is "OK".
# Seen:   a table of two rows: "| what | price | |---|--:| | tea | 3 | | cake | 5 |" / "second line\n   - nested item" becomes "second linenested item" / "[1]: manual.html" is gone
# Expected by most: tables, lists and definitions as they are: only sentences folded.
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
cat > doc.md <<'MD'
# Prices

| what | price |
|---|--:|
| tea | 3 |
| cake | 5 |

Roses are red,\
violets are blue.

1. first step
   and its second line
   - nested item

Read the [manual][1].

[1]: manual.html
MD
cat > run.py <<'PY'
from peer import connect

print(connect('env/bin/mdship', 'mcp')('reflow', path='doc.md', width=80, backup=False).split(':')[0])
print(open('doc.md').read().rstrip())
PY
echo "mdship $(env/bin/python -c "import importlib.metadata as m; print(m.version('mdship'))")"
python3 run.py | tee out
diff out - <<'END'
OK
# Prices

| what | price | |---|--:| | tea | 3 | | cake | 5 |

Roses are red,\ violets are blue.

1. first step and its second linenested item

Read the [manual][1].
END
