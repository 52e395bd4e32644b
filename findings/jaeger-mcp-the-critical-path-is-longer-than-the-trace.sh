#!/usr/bin/env bash
# PyPI jaeger-mcp 0.6.1, an MCP server for traces of Jaeger, asked over stdio, before a small stand-in for Jaeger's HTTP interface with two traces of one second.
# Behaviour: jaeger_critical_path adds up the durations of spans that lie within each other. A request of 1.0 s that waits 0.9 s for a service that waits 0.8 s for a database has a critical path
# of 2.7 s, "270.0%". So of two traces the one with more layers looks slower, whatever it took. jaeger_get_trace adds in the same way: the one service "web" has 2,700,000 µs in a trace of 1,000,000.
# The bottlenecks take all children's durations from a span: one that starts three parts of 0.4 s at the same time, and then works 0.6 s itself, is no bottleneck at all.
# Seen:   critical path 2,700,000 of 1,000,000 µs (270.0%) / three parallel parts: the root is missing among the bottlenecks
# Expected by most: at most the length of the trace; 0.1, 0.1 and 0.8 s; 600,000 µs for the root with the parallel parts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jaeger-mcp==0.6.1
cat > run.py <<'PY'
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

start = 1767225600000000
ids = {'nested': f'{1:032x}', 'parallel': f'{2:032x}'}


def span(trace, name, begin, duration, parent=None):
    references = [{'refType': 'CHILD_OF', 'traceID': trace, 'spanID': parent}] if parent else []
    return {'traceID': trace, 'spanID': name, 'operationName': name, 'references': references, 'startTime': start + begin, 'duration': duration, 'tags': [], 'logs': [], 'processID': 'p1'}


spans = {
    ids['nested']: [span(ids['nested'], 'GET /', 0, 1000000), span(ids['nested'], 'orders', 50000, 900000, 'GET /'), span(ids['nested'], 'db', 100000, 800000, 'orders')],
    ids['parallel']: [span(ids['parallel'], 'GET /', 0, 1000000)] + [span(ids['parallel'], f'part {n}', 0, 400000, 'GET /') for n in (1, 2, 3)],
}


class Jaeger(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        trace = self.path.split('?')[0].split('/')[-1]
        data = json.dumps({'data': [{'traceID': trace, 'spans': spans[trace], 'processes': {'p1': {'serviceName': 'web', 'tags': []}}}]}).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


jaeger = ThreadingHTTPServer(('127.0.0.1', 0), Jaeger)
threading.Thread(target=jaeger.serve_forever, daemon=True).start()
server = subprocess.Popen(['env/bin/jaeger-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, 'JAEGER_URL': f'http://127.0.0.1:{jaeger.server_port}'})
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
for name, trace in ids.items():
    path = ask('tools/call', {'name': 'jaeger_critical_path', 'arguments': {'trace_id': trace}})['structuredContent']
    print(f'{name}: {path["critical_path_duration_us"]:,} of {path["total_duration_us"]:,} µs, {path["critical_path_percentage"]}%:', ', '.join(f'{step["operation"]} {step["duration_us"]:,}' for step in path['critical_path']))
    print('  bottlenecks:', ', '.join(f'{item["operation"]} {item["self_time_us"]:,}' for item in path['bottlenecks']))
    whole = ask('tools/call', {'name': 'jaeger_get_trace', 'arguments': {'trace_id': trace}})['structuredContent']
    print('  services:', ', '.join(f'{item["service"]} {item["total_duration_us"]:,}' for item in whole['services']))
server.kill()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('jaeger-mcp', m.version('jaeger-mcp'))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
nested: 2,700,000 of 1,000,000 µs, 270.0%: GET / 1,000,000, orders 900,000, db 800,000
  bottlenecks: db 800,000, GET / 100,000, orders 100,000
  services: web 2,700,000
parallel: 1,400,000 of 1,000,000 µs, 140.0%: GET / 1,000,000, part 1 400,000
  bottlenecks: part 1 400,000, part 2 400,000, part 3 400,000
  services: web 2,200,000
END
