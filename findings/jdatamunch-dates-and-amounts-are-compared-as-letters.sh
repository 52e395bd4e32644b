#!/usr/bin/env bash
# PyPI jdatamunch-mcp 1.31.13 with mcp 1.30.0, an MCP server for tables, asked over stdio.
# Behaviour: a column of days such as 21/09/2026 is said to be "datetime", and its filters compare letters: later than 2026-06-01 finds the days 21 to 28 of each month here.
# One amount of 2,000 is written "1,234.50". Then the column is text: greater than 2900 finds 3.0, the largest amount is 999.0, and the sum takes "1,234.50" for 1.
# search_data for "note 1500" gives ten values with the score 1.0, and note 1500, which is there, is not among them. Each has the word note.
# Seen:   day > 2026-06-01: 568 rows, the first 21/01/2026 / amount > 2900: 591 rows, the first 3.0 / note 1500: note 1, note 2, note 3, ...
# Expected by most: days compared as days, or no "datetime"; 67 rows, or an error; note 1500 first.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jdatamunch-mcp==1.31.13 mcp==1.30.0
cat > run.py <<'PY'
import json
import os
import subprocess
from datetime import date

rows = [(n, 1234.5 if n == 5 else n * 1.5, date(2026, n % 12 + 1, n % 28 + 1)) for n in range(1, 2001)]
with open('list.csv', 'w') as file:
    file.write('id,amount,day,note\n')
    for n, amount, day in rows:
        shown = '"1,234.50"' if n == 5 else amount
        file.write(f'{n},{shown},{day:%d/%m/%Y},note {n}\n')
env = {**os.environ, 'HOME': os.getcwd()}
server = subprocess.Popen(['env/bin/jdatamunch-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == number:
            return json.loads(line)['result']


def call(tool, **values):
    return json.loads(ask('tools/call', {'name': tool, 'arguments': values})['content'][0]['text'])['result']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
call('index_local', path=os.getcwd() + '/list.csv', name='list')
for column in ('day', 'amount'):
    print(f'{column}: {call("describe_column", dataset="list", column=column)["type"]}')
later = call('get_rows', dataset='list', filters=[{'column': 'day', 'op': 'gt', 'value': '2026-06-01'}], order_by='day', limit=1)
print(f'day > 2026-06-01: {later["total_matching"]} rows, the first {later["rows"][0]["day"]}; true: {sum(day > date(2026, 6, 1) for _, _, day in rows)}')
larger = call('get_rows', dataset='list', filters=[{'column': 'amount', 'op': 'gt', 'value': 2900}], limit=1)
print(f'amount > 2900: {larger["total_matching"]} rows, the first {larger["rows"][0]["amount"]}; true: {sum(amount > 2900 for _, amount, _ in rows)}')
print('the largest amount:', call('get_rows', dataset='list', order_by='amount', order_dir='desc', limit=1)['rows'][0]['amount'], '| true:', max(amount for _, amount, _ in rows))
total = call('aggregate', dataset='list', aggregations=[{'function': 'sum', 'column': 'amount'}])['groups'][0]['sum_amount']
print('sum:', total, '| true:', sum(amount for _, amount, _ in rows))
for found in call('search_data', dataset='list', query='note 1500'):
    print(f'note 1500: score {found["score"]},', ', '.join(found['matched_values']))
server.kill()
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('jdatamunch-mcp', 'mcp')))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
day: datetime
amount: string
day > 2026-06-01: 568 rows, the first 21/01/2026; true: 1166
amount > 2900: 591 rows, the first 3.0; true: 67
the largest amount: 999.0 | true: 3000.0
sum: 3001493.5 | true: 3002727.0
note 1500: score 1.0, note 1, note 2, note 3, note 4, note 5, note 6, note 7, note 8, note 9, note 10
END
