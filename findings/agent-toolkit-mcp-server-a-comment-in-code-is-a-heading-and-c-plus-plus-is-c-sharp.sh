#!/usr/bin/env bash
# agent-toolkit-mcp-server 0.4.0 (PyPI), an MCP server for notes and todos, with mcp 1.30.0 (PyPI), over stdio: note_write, note_read, note_append_section, note_edit.
# Behaviour: a line of a code block that begins with # is taken for a heading. So a section ends inside its code block. A text that is appended to the section lands in the code,
# and a replaced section leaves the second half of its old code behind, with one fence too many. The list of headings has the comment too.
# A name loses its signs without a word: the notes C++ and C# are both stored as C. The second replaces the first, and note_read of C++ gives the text of C#.
# Seen:   "more" between the fence and "# install" / after the edit: new, # install, npm i, fence, after / note_read of C++: sharp
# Expected by most: a code block is no heading; two notes, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-toolkit-mcp-server==0.4.0 mcp==1.30.0
cat > ask.py <<'PY'
import itertools
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio; gives a function that calls its tools, and one for other requests."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})
    numbers = itertools.count(1)

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        number = next(numbers)
        send(id=number, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == number:
                return answer.get('result') or answer['error']

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > run.py <<'PY'
import json
from ask import start

call, _ = start('env/bin/agent-toolkit-mcp-server')
call('note_write', name='guide', content='# Guide\n\n## Setup\n\n```bash\n# install\nnpm i\n```\nafter\n\n## Use\n\nx\n')
print('headings:', [line['heading'] for line in json.loads(call('note_read', name='guide', mode='headings'))['headings']])
call('note_append_section', name='guide', heading='Setup', content='more')
print('appended:', json.loads(call('note_read', name='guide'))['content'].splitlines())
call('note_edit', name='guide', section='Setup', content='new')
print('replaced:', json.loads(call('note_read', name='guide'))['content'].splitlines())
for name, text in [('C++', 'plus'), ('C#', 'sharp')]:
    print('written', name, 'as', json.loads(call('note_write', name=name, content=text)))
print('C++ is', repr(json.loads(call('note_read', name='C++'))['content']), 'notes:', [note['name'] for note in json.loads(call('note_list'))['items']])
PY
echo "agent-toolkit-mcp-server $(env/bin/python -c "import importlib.metadata as m; print(m.version('agent-toolkit-mcp-server'))")"
python3 run.py | tee out
diff out - <<'END'
headings: ['Guide', 'Setup', 'install', 'Use']
appended: ['# Guide', '', '## Setup', '', '```bash', '', 'more', '# install', 'npm i', '```', 'after', '', '## Use', '', 'x']
replaced: ['# Guide', '', '## Setup', 'new', '# install', 'npm i', '```', 'after', '', '## Use', '', 'x']
written C++ as {'name': 'C', 'revision': 1}
written C# as {'name': 'C', 'revision': 2}
C++ is 'sharp\n' notes: ['C', 'guide']
END
