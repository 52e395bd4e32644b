#!/usr/bin/env bash
# mcp-compressor 0.38.2 (PyPI), a proxy that shortens what an MCP server lists and answers, with --shrinkfit as it is (20,000 characters) and with --toonify, before a small MCP server over stdio.
# Behaviour: a long text is cut in two ways at once: its end is left out, and nearly each line that stays is cut behind the same place, so that a log becomes some 600 times "2026-11-29 10:00…[+26 chars]".
# What a line said is gone from all lines but the first, and 18,000 characters are spent on times. Of the output of grep only the file names are left. The report says 0 items omitted,
# 1 string truncated. CSV and lists of texts keep their lines. The text also comes back as a JSON text, in quotes and with \n in it.
# With --toonify a short commit id that can be read as a number is written out: 1234e56 becomes 60 digits.
# Seen:   log: 1 of 606 lines is whole / grep: 2 of 606 / items_omitted: 0 / 1234e56: 123400000000000000000000000000000000000000000000000000000000
# Expected by most: whole lines from the start and the end, and a count of the lines that were left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-compressor==0.38.2
cat > texts.py <<'PY'
texts = {
    'log': '\n'.join(f'2026-11-29 10:{number // 60 % 60:02d}:{number % 60:02d} INFO handled request {number}' for number in range(20000)),
    'grep': '\n'.join(f'src/module_{number % 40}.py:{number}: value = compute({number})' for number in range(20000)),
    'csv': 'id,amount\n' + '\n'.join(f'{number},{number * 1.1:.2f}' for number in range(30000)),
    'commit': '1234e56',
}
PY
cat > server.py <<'PY'
import json
import sys

from texts import texts

for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    if request['method'] == 'tools/list':
        result = {'tools': [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in texts]}
    elif request['method'] == 'tools/call':
        result = {'content': [{'type': 'text', 'text': texts[request['params']['name']]}]}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import itertools
import json
import subprocess
import sys

from texts import texts


def calls(option, names):
    process = subprocess.Popen(['env/bin/mcp-compressor', '-n', 's', option, '--', sys.executable, 'server.py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    numbers = itertools.count(1)

    def ask(method, params):
        number = next(numbers)
        print(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}), file=process.stdin, flush=True)
        return next(answer for answer in map(json.loads, process.stdout) if answer.get('id') == number)['result']

    ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
    print('{"jsonrpc":"2.0","method":"notifications/initialized"}', file=process.stdin, flush=True)
    for name in names:
        yield name, [block['text'] for block in ask('tools/call', {'name': 's_invoke_tool', 'arguments': {'tool_name': name, 'tool_input': {}}})['content']]
    process.kill()


for name, (text, note) in calls('--shrinkfit', ['log', 'grep', 'csv']):
    lines = json.loads(text).split('\n')
    whole = set(texts[name].split('\n'))
    report = json.loads(note)['truncation']['report']
    print(f'{name}: {len(text)} characters, {sum(line in whole for line in lines)} of {len(lines)} lines are whole; line 100: {lines[99]}; items omitted: {report["items_omitted"]}, strings truncated: {report["strings_truncated"]}')
for name, (text,) in calls('--toonify', ['commit']):
    print(f'{texts[name]}: {text}')
PY
env/bin/python -c "import importlib.metadata as m; print('mcp-compressor', m.version('mcp-compressor'))"
env/bin/python run.py | tee out
diff out - <<'END'
log: 18198 characters, 1 of 606 lines are whole; line 100: 2026-11-29 10:01…[+27 chars]; items omitted: 0, strings truncated: 1
grep: 18202 characters, 2 of 606 lines are whole; line 100: src/module_19.py…[+24 chars]; items omitted: 0, strings truncated: 1
csv: 17412 characters, 1393 of 1394 lines are whole; line 100: 98,107.80; items omitted: 0, strings truncated: 1
1234e56: 123400000000000000000000000000000000000000000000000000000000
END
