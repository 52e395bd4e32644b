#!/usr/bin/env bash
# PyPI logintel-mcp 1.0.1 with mcp 1.30.0, an MCP server for logs, asked over stdio, on a local file of JSON lines as its first page sets it up.
# Behaviour: compare_time_periods looks at the first 100 lines of each period and gives their number as the total. 60 errors in the first ten minutes and 510 in
# the next are "error rate is relatively stable". detect_error_patterns says total_errors 0 and find_anomalies finds none, in any local file: nothing is
# searched. The metric error_rate of aggregate_logs is the number of lines. A time_range is {"from", "to"}, which no schema tells; with {"start", "end"} it is
# the last hour, without a word, and compare_time_periods repeats the asked times beside figures of the last hour.
# Seen:   600 and 600 lines: 100 and 100, change 0.0, stable / detect_error_patterns: total_errors 0 of 570 / error_rate: 600.0
# Expected by most: 600 and 600, 60 and 510 errors; 570 errors; rates of 0.1 and 0.85; an error for unknown names.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check logintel-mcp==1.0.1 mcp==1.30.0
cat > run.py <<'PY'
import json
import os
import subprocess
from datetime import datetime, timedelta, timezone

start = datetime(2026, 1, 1, tzinfo=timezone.utc)
with open('app.log', 'w') as file:
    for n in range(1200):
        level = 'ERROR' if n % 10 == 0 or n >= 700 else 'INFO'
        line = {'timestamp': (start + timedelta(seconds=n)).isoformat(), 'level': level, 'service': 'shop' if n < 600 else 'pay'}
        file.write(json.dumps({**line, 'message': f'timeout of order {n}' if level == 'ERROR' else f'sent order {n}'}) + '\n')
source = {'type': 'local', 'paths': [os.getcwd() + '/app.log'], 'parseJson': True, 'timestampField': 'timestamp', 'levelField': 'level', 'serviceField': 'service'}
with open('settings.yaml', 'w') as file:
    json.dump({'sources': {'app': source}}, file)
server = subprocess.Popen(['env/bin/logintel', '--config', 'settings.yaml'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
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
    return json.loads(ask('tools/call', {'name': tool, 'arguments': values})['content'][0]['text'])


def minutes(first, last, names=('from', 'to')):
    return dict(zip(names, ((start + timedelta(minutes=m)).isoformat() for m in (first, last))))


def compare(name, *names):
    ranges = {'baseline_range': minutes(0, 9.99, *names), 'comparison_range': minutes(10, 20, *names)}
    found = call('compare_time_periods', source='app', **ranges)
    diff, said = found['diff'], found['summary'].split(' New')[0]
    print(f'{name}: lines {diff["total_count"]}, errors {diff["error_count"]}')
    print(f'  {said} Times as asked: {found["baseline_range"] == ranges["baseline_range"]}')


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
tools = {tool['name']: tool for tool in ask('tools/list', {})['tools']}
print('what the list says of a range:', json.dumps(tools['compare_time_periods']['inputSchema']['properties']['baseline_range']))
counted = {bucket['key']['level']: bucket['count'] for bucket in call('aggregate_logs', source='app', time_range=minutes(0, 20), group_by=['level'])['buckets']}
print('counted by aggregate_logs:', dict(sorted(counted.items())))
for bucket in call('aggregate_logs', source='app', time_range=minutes(0, 20), group_by=['service', 'level'])['buckets']:
    print(' ', bucket['key'], bucket['count'])
compare('from, to')
compare('start, end', ('start', 'end'))
print('detect_error_patterns:', call('detect_error_patterns', source='app', time_range=minutes(0, 20)))
print('find_anomalies:', call('find_anomalies', source='app', time_range=minutes(0, 20), metric='error_rate'))
rates = call('aggregate_logs', source='app', time_range=minutes(0, 20), group_by=['service'], metric='error_rate')['buckets']
print('error_rate:', {bucket['key']['service']: bucket['value'] for bucket in rates})
server.kill()
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('logintel-mcp', 'mcp')))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
what the list says of a range: {"additionalProperties": true, "title": "Baseline Range", "type": "object"}
counted by aggregate_logs: {'ERROR': 570, 'INFO': 630}
  {'service': 'shop', 'level': 'INFO'} 540
  {'service': 'pay', 'level': 'ERROR'} 510
  {'service': 'pay', 'level': 'INFO'} 90
  {'service': 'shop', 'level': 'ERROR'} 60
from, to: lines {'baseline': 100, 'comparison': 100, 'change': 0.0}, errors {'baseline': 10, 'comparison': 10, 'change': 0.0}
  Log volume is relatively stable. Error rate is relatively stable. Times as asked: True
start, end: lines {'baseline': 0, 'comparison': 0, 'change': 0.0}, errors {'baseline': 0, 'comparison': 0, 'change': 0.0}
  Log volume is relatively stable. Error rate is relatively stable. Times as asked: True
detect_error_patterns: {'patterns': [], 'total_errors': 0, 'query_time_ms': None}
find_anomalies: {'anomalies': [], 'metric': 'error_rate', 'query_time_ms': None}
error_rate: {'shop': 600.0, 'pay': 600.0}
END
