#!/usr/bin/env bash
# PyPI prometheus-mcp 0.5.0 with mcp 1.30.0, an MCP server for Prometheus and Alertmanager, asked over stdio, before a small stand-in for both.
# Behaviour: detect_cascading_alerts as the first call sends no request at all and says 0 cascades. The same call later finds them. It never names a root
# cause: the list is empty also where one alert clearly began it all. temporal_window changes nothing: with 60 seconds pairs of 350 seconds are linked. Each
# alert is the "parent" of each later one within 7 minutes, whatever their labels say. prometheus_query_range with more than 5,000 points keeps the first
# series whole and leaves out the last ones, and says 2 series and 5,000 points in all of 3 series with 9,000.
# Seen:   1st call: 0 requests, 0 cascades / 2nd call, window 60: 6 cascades, 0 root causes, longest 350 s / range: a 3000 of 3000 points, b 2000, c none; series_count 2
# Expected by most: the same answer twice, DatabaseDown as root cause, no pairs beyond the window; 3 series, or their number.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check prometheus-mcp==0.5.0 mcp==1.30.0
cat > run.py <<'PY'
import json
import os
import subprocess
import threading
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

start = datetime(2026, 1, 1, tzinfo=timezone.utc)
asked = []


def alert(name, service, seconds):
    at = (start + timedelta(seconds=seconds)).isoformat()
    status = {'state': 'active', 'silencedBy': [], 'inhibitedBy': []}
    labels = {'alertname': name, 'service': service}
    return {'labels': labels, 'annotations': {}, 'startsAt': at, 'endsAt': at, 'updatedAt': at, 'fingerprint': name, 'receivers': [], 'status': status}


alerts = [alert('DatabaseDown', 'db', 0), alert('ApiErrors', 'api', 100), alert('CheckoutSlow', 'shop', 200), alert('PrinterInk', 'office', 350)]
series = [{'metric': {'host': host}, 'values': [[1767225600 + 15 * n, '1'] for n in range(3000)]} for host in 'abc']


class Both(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        asked.append(self.path)
        answer = alerts if '/api/v2/alerts' in self.path else {'status': 'success', 'data': {'resultType': 'matrix', 'result': series}}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


both = ThreadingHTTPServer(('127.0.0.1', 0), Both)
threading.Thread(target=both.serve_forever, daemon=True).start()
address = f'http://127.0.0.1:{both.server_port}'
env = {**os.environ, 'PROMETHEUS_URL': address, 'ALERTMANAGER_URL': address}
server = subprocess.Popen(['env/bin/prometheus-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
count = 0


def ask(method, params):
    global count
    count += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': count, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == count:
            return json.loads(line)['result']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
for name, values in (('1st call', {}), ('2nd call', {}), ('3rd call, window 60', {'temporal_window': 60})):
    asked.clear()
    found = ask('tools/call', {'name': 'detect_cascading_alerts', 'arguments': values})['structuredContent']
    pairs = [(pair['parent']['alert']['labels']['alertname'], pair['child']['alert']['labels']['alertname'], int(pair['temporal_delay'])) for pair in found['cascades']]
    print(f'{name}: {len(asked)} requests, {found["total_cascades"]} cascades, {len(found["root_causes"])} root causes')
    for pair in sorted(pairs, key=lambda pair: pair[2])[-1:]:
        print('  the longest: %s to %s, %d s' % pair)
range_of = {'query': 'm', 'start': '2026-01-01T00:00:00Z', 'end': '2026-01-01T12:30:00Z', 'step': '15s'}
result = ask('tools/call', {'name': 'prometheus_query_range', 'arguments': range_of})
body = result['structuredContent']
said = {key: body[key] for key in ('series_count', 'total_points', 'truncated')}
print('range:', ', '.join(f'{item["labels"]["host"]} {item["point_count"]}' for item in body['data']), '|', said)
print('as text:', result['content'][0]['text'].split('\n')[3])
server.kill()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('prometheus-mcp', 'mcp')))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
1st call: 0 requests, 0 cascades, 0 root causes
2nd call: 1 requests, 6 cascades, 0 root causes
  the longest: DatabaseDown to PrinterInk, 350 s
3rd call, window 60: 1 requests, 6 cascades, 0 root causes
  the longest: DatabaseDown to PrinterInk, 350 s
range: a 3000, b 2000 | {'series_count': 2, 'total_points': 5000, 'truncated': True}
as text: **Series:** 2 | **Points:** 5000 (capped at 5000)
END
