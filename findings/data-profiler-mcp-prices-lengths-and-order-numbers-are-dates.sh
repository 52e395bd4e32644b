#!/usr/bin/env bash
# data-profiler-mcp 0.4.0 (PyPI), its tool detect_quality_issues on CSV files with one column of texts.
# Behaviour: the audit calls a column "dates stored as text" as soon as a very lenient parser makes dates of its words, and looks there before it looks for numbers. So amounts with a
# comma ("1,200" or "0,50"), lengths ("1 m"), article numbers ("10-10"), versions and times of the day are said to be dates; numbers stored as text, which it promises to find, it does not find
# in any of them, nor in "$1.50".
# Seen:   1,200 / 0,50 / 1 m / 10-10 / 1.0.0: datetime_stored_as_text / $0.50: nothing
# Expected by most: numbers stored as text for the amounts, nothing for the article numbers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check data-profiler-mcp==0.4.0
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
import os
from client import Server

server = Server('env/bin/data-profiler-mcp')
columns = {
    'thousands': [f'1,{200 + i}' for i in range(30)],
    'euros': [f'{i},50' for i in range(30)],
    'dollars': [f'${i}.50' for i in range(30)],
    'lengths': [f'{i + 1} m' for i in range(30)],
    'articles': [f'10-{i + 10}' for i in range(30)],
    'versions': [f'1.{i}.0' for i in range(30)],
    'dates': [f'2026-03-{i + 1:02}' for i in range(30)],
    'one gap': [str(i) for i in range(29)] + ['none'],
}
for name, texts in columns.items():
    with open('data.csv', 'w') as file:
        file.write('key,value\n' + ''.join(f'k{i}x,"{text}"\n' for i, text in enumerate(texts)))
    found = json.loads(server.text('detect_quality_issues', path=os.path.abspath('data.csv')))['issues']
    print(f'{name} ({texts[0]}, {texts[1]}):', ' '.join(issue['issue'] for issue in found if issue['column'] == 'value') or 'nothing')
PY
echo "data-profiler-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('data-profiler-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
thousands (1,200, 1,201): datetime_stored_as_text
euros (0,50, 1,50): datetime_stored_as_text
dollars ($0.50, $1.50): nothing
lengths (1 m, 2 m): datetime_stored_as_text
articles (10-10, 10-11): datetime_stored_as_text
versions (1.0.0, 1.1.0): datetime_stored_as_text
dates (2026-03-01, 2026-03-02): datetime_stored_as_text
one gap (0, 1): mixed_numeric_and_text
END
