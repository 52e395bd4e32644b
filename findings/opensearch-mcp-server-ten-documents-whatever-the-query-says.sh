#!/usr/bin/env bash
# PyPI opensearch-mcp-server-py 0.12.0, the OpenSearch project's own MCP server, asked over stdio, before a small stand-in that writes down what it is asked.
# Behaviour: SearchIndexTool takes a whole query in query_dsl and has a parameter "size" beside it, 10 by default. It writes that over the query's own size, without a word. So a query with "size": 500
# asks for 10 documents, and one with "size": 0, as all guides write it for aggregations, comes back with 10 documents beside the counts. "from" and "sort" of the query stay. (That "size" is held to 100 is said in the tool's list.)
# Seen:   query_dsl {"size": 500, "from": 20}: {"size": 10, "from": 20} is sent / {"size": 0, "aggs": ...}: {"size": 10, "aggs": ...}
# Expected by most: the query as it was written, or an error; above all 0 documents for a size of 0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check opensearch-mcp-server-py==0.12.0
cat > run.py <<'PY'
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

asked = []


class OpenSearch(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0)).decode()
        answer = {'version': {'number': '2.15.0', 'distribution': 'opensearch'}}
        if '_search' in self.path:
            asked.append(json.loads(body))
            hits = [{'_id': str(n), '_source': {'line': n}} for n in range(min(1000, asked[-1].get('size', 10)))]
            answer = {'took': 1, 'timed_out': False, 'hits': {'total': {'value': 1000, 'relation': 'eq'}, 'hits': hits}, 'aggregations': {'levels': {'buckets': [{'key': 'error', 'doc_count': 7}]}}}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_HEAD = do_GET


stub = ThreadingHTTPServer(('127.0.0.1', 0), OpenSearch)
threading.Thread(target=stub.serve_forever, daemon=True).start()
server = subprocess.Popen(
    ['env/bin/opensearch-mcp-server-py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    env={**os.environ, 'OPENSEARCH_URL': f'http://127.0.0.1:{stub.server_port}', 'OPENSEARCH_NO_AUTH': 'true'},
)
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
for query, beside in [
    ({'query': {'match_all': {}}, 'size': 500, 'from': 20}, {}),
    ({'size': 0, 'aggs': {'levels': {'terms': {'field': 'level'}}}}, {}),
    ({'query': {'match_all': {}}, 'size': 500}, {'size': 500}),
    ({'size': 0, 'aggs': {'levels': {'terms': {'field': 'level'}}}}, {'size': 0}),
]:
    text = ask('tools/call', {'name': 'SearchIndexTool', 'arguments': {'index': 'logs', 'query_dsl': query, **beside}})['content'][0]['text']
    print(f'{json.dumps(query)} {beside or ""}: {json.dumps(asked[-1])} is sent, {text.count("_source")} documents')
server.kill()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('opensearch-mcp-server-py', m.version('opensearch-mcp-server-py'))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
{"query": {"match_all": {}}, "size": 500, "from": 20} : {"query": {"match_all": {}}, "size": 10, "from": 20} is sent, 10 documents
{"size": 0, "aggs": {"levels": {"terms": {"field": "level"}}}} : {"size": 10, "aggs": {"levels": {"terms": {"field": "level"}}}} is sent, 10 documents
{"query": {"match_all": {}}, "size": 500} {'size': 500}: {"query": {"match_all": {}}, "size": 100} is sent, 100 documents
{"size": 0, "aggs": {"levels": {"terms": {"field": "level"}}}} {'size': 0}: {"size": 0, "aggs": {"levels": {"terms": {"field": "level"}}}} is sent, 0 documents
END
