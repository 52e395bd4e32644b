#!/usr/bin/env bash
# PyPI mcp-openapi-proxy 0.4.0, an MCP server made of an OpenAPI document, asked over stdio, before a small stand-in that writes down what it is asked.
# Behaviour: of an operation that is not a GET, parameters of the query are sent as members of a JSON body. So "DELETE /orders" with ids 1 and 2 goes out as DELETE /orders without a query: a server that
# does not read the body of a DELETE, as most do not, is asked to delete all. "dry_run" of a POST ends in the body too, and the call is no trial. A body that the document declares as a form is sent as JSON,
# and a body that is a list has no parameter. An answer of 422 loses the words that say what is wrong, and the result is no error for MCP.
# Seen:   delete_orders ids [1, 2]: DELETE /v1/orders, body {"ids": [1, 2]} / post_orders dry_run true: POST /v1/orders, body {"dry_run": true, ...} / 422: isError false
# Expected by most: DELETE /v1/orders?ids=1&ids=2, POST /v1/orders?dry_run=true, a form, the text of the answer and isError.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-openapi-proxy==0.4.0
cat > run.py <<'PY'
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

asked = []
done = {'responses': {'200': {'description': 'done'}}}
ids = {'name': 'ids', 'in': 'query', 'required': True, 'schema': {'type': 'array', 'items': {'type': 'integer'}}}


def document(port):
    body = {'type': 'object', 'properties': {'sku': {'type': 'string'}}}
    form = {'type': 'object', 'properties': {'name': {'type': 'string'}, 'age': {'type': 'integer'}}}
    return {
        'openapi': '3.0.3', 'info': {'title': 'shop', 'version': '1'}, 'servers': [{'url': f'http://127.0.0.1:{port}/v1'}],
        'paths': {
            '/orders': {
                'get': {'summary': 'List orders', 'parameters': [ids], **done},
                'delete': {'summary': 'Delete orders', 'parameters': [ids], **done},
                'post': {'summary': 'Make an order', 'parameters': [{'name': 'dry_run', 'in': 'query', 'schema': {'type': 'boolean'}}], 'requestBody': {'content': {'application/json': {'schema': body}}}, **done},
            },
            '/lines': {'post': {'summary': 'Add lines', 'requestBody': {'required': True, 'content': {'application/json': {'schema': {'type': 'array', 'items': body}}}}, **done}},
            '/people': {'post': {'summary': 'Add a person', 'requestBody': {'content': {'application/x-www-form-urlencoded': {'schema': form}}}, **done}},
            '/fail': {'get': {'summary': 'Fail', **done}},
        },
    }


class Shop(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0)).decode()
        if self.path == '/document':
            answer = document(self.server.server_port)
        else:
            asked.append(f'{self.command} {self.path}, body {body or "none"}' + (f', {self.headers["Content-Type"]}' if body else ''))
            answer = {'error': 'age must be below 150'} if 'fail' in self.path else {'ok': True}
        data = json.dumps(answer).encode()
        self.send_response(422 if 'fail' in self.path else 200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_DELETE = do_GET


shop = ThreadingHTTPServer(('127.0.0.1', 0), Shop)
threading.Thread(target=shop.serve_forever, daemon=True).start()
server = subprocess.Popen(
    ['env/bin/mcp-openapi-proxy'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, 'OPENAPI_SPEC_URL': f'http://127.0.0.1:{shop.server_port}/document'}
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
tools = {tool['name']: tool['inputSchema'] for tool in ask('tools/list', {})['tools']}
print('post_lines takes', json.dumps(tools['post_lines']))
for name, values in (('get_orders', {'ids': [1, 2]}), ('delete_orders', {'ids': [1, 2]}), ('post_orders', {'dry_run': True, 'sku': 'bolt'}), ('post_people', {'name': 'Ann', 'age': 7}), ('get_fail', {})):
    answer = ask('tools/call', {'name': name, 'arguments': values})
    text = answer['content'][0]['text'].replace(str(shop.server_port), 'PORT')
    print(f'{name} {json.dumps(values)}: {asked[-1]}' + (f', isError {answer.get("isError", False)}, {text}' if name == 'get_fail' else ''))
server.kill()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('mcp-openapi-proxy', m.version('mcp-openapi-proxy'))"
env/bin/python -u run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
post_lines takes {"properties": {}, "required": [], "type": "object", "additionalProperties": false}
get_orders {"ids": [1, 2]}: GET /v1/orders?ids=1&ids=2, body none
delete_orders {"ids": [1, 2]}: DELETE /v1/orders, body {"ids": [1, 2]}, application/json
post_orders {"dry_run": true, "sku": "bolt"}: POST /v1/orders, body {"dry_run": true, "sku": "bolt"}, application/json
post_people {"name": "Ann", "age": 7}: POST /v1/people, body {"name": "Ann", "age": 7}, application/json
get_fail {}: GET /v1/fail, body none, isError False, 422 Client Error: Unprocessable Entity for url: http://127.0.0.1:PORT/v1/fail
END
