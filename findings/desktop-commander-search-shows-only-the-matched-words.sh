#!/usr/bin/env bash
# npm @wonderwhy-er/desktop-commander 0.2.52, a much used MCP server for files and commands, over stdio as it starts (telemetry switched off in its
# settings).
# Behaviour: a search in files shows of a line that matches only the words that match, while the lines around it, which were not searched for, are
# there whole: of "port = 8080" a search for port shows "port". A command that ends with exit code 3 is answered as one that ends with 0, with no code
# and no mark, and so is an edit whose old text is not in the file. The file's last line break is not shown by read_file, and the number of its lines
# is one more after an edit than before.
# Seen:   settings.py:2 - port / exit 3: "out", no isError / edit not found: no isError / 3 lines, then 4
# Expected by most: the line that matches, the exit code, isError.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
PUPPETEER_SKIP_DOWNLOAD=1 npm install --silent --no-audit --no-fund --ignore-scripts @wonderwhy-er/desktop-commander@0.2.52
mkdir -p home/.claude-server-commander files
echo '{"telemetryEnabled": false, "allowedDirectories": []}' > home/.claude-server-commander/config.json
printf 'host = "a"\nport = 8080\nuser = "b"\n' > files/settings.py
cat > run.py <<'PY'
import json
import os
import re
import subprocess
import time

folder = os.path.join(os.getcwd(), 'files')
script = 'node_modules/@wonderwhy-er/desktop-commander/dist/index.js'
server = subprocess.Popen(['node', script, '--no-onboarding'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.path.join(os.getcwd(), 'home')}, text=True)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        message = json.loads(line)
        if message.get('id') == number:
            return message['result']


def call(name, **arguments):
    result = ask('tools/call', {'name': name, 'arguments': arguments})
    text = result['content'][0]['text'].replace(folder + '/', '')
    return result.get('isError'), text


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
file = os.path.join(folder, 'settings.py')
_, text = call('start_search', path=folder, pattern='port', searchType='content')
session = re.search(r'search_\w+', text)[0]
time.sleep(2)
_, text = call('get_more_search_results', sessionId=session)
print('search:', [line[2:] for line in text.split('\n') if 'settings.py:' in line])
for command in ('echo out', 'echo out; exit 3'):
    error, text = call('start_process', command=command, timeout_ms=5000)
    print(f'{command}: isError {error}, {re.sub("PID [0-9]+", "PID", text)!r}')
print('read:', call('read_file', path=file))
error, text = call('edit_block', file_path=file, old_string='port = 9090', new_string='port = 1')
print(f'edit not found: isError {error}, {text.partition(" (")[0]!r}')
print('edit:', call('edit_block', file_path=file, old_string='port = 8080', new_string='port = 1'))
server.kill()
PY
echo "@wonderwhy-er/desktop-commander $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@wonderwhy-er/desktop-commander/package.json')).version")"
python3 run.py | tee out
diff out - <<'END'
search: ['settings.py:1 - host = "a"', 'settings.py:2 - port', 'settings.py:3 - user = "b"']
echo out: isError None, 'Process started with PID (shell: /bin/bash)\nInitial output:\nout\n'
echo out; exit 3: isError None, 'Process started with PID (shell: /bin/bash)\nInitial output:\nout\n'
read: (None, '[Reading 3 lines from start (total: 3 lines, 0 remaining)]\n\nhost = "a"\nport = 8080\nuser = "b"')
edit not found: isError None, 'Exact match not found, but found a similar text with 82% similarity'
edit: (None, '[Reading 4 lines from start (total: 4 lines, 0 remaining)]\n\nhost = "a"\nport = 1\nuser = "b"\n')
END
