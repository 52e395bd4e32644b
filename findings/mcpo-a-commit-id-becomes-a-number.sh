#!/usr/bin/env bash
# mcpo 0.0.20 with mcp 1.30.0 and fastapi 0.120.0 (PyPI), the way from MCP servers to hosts that speak OpenAPI, before a small MCP server over stdio.
# Behaviour: a text block that can be read as a Python float or as JSON IS read: the short commit id 1234e56 is the number 1.234e+59, "null" is null, 1.10 is 1.1. The id
# 123e456 (as a number more than any float) makes the call a 500, and so does a text "NaN". structuredContent is not looked at: beside a text it is dropped, alone it is an empty list. A
# link is left out, an embedded text is the sentence that it is not supported yet. The schema that is shown has no choices, bounds, constants or parts of a oneOf; an integer in a number is sent as a float.
# Seen:   1234e56: 1.234e+59 / 123e456: 500 / data alone: [] / two blocks: ["ONE","TWO"] / embedded: "Embedded resource not supported yet." / enum: type string
# Most would guess: a text is a text, structured data is what an OpenAPI host gets, and the schema stays.
set -euo pipefail
dir=$(mktemp -d); cd "$dir"; pid=; trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$dir"' EXIT
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcpo==0.0.20 mcp==1.30.0 fastapi==0.120.0
cat > server.py <<'PY'
import json
import sys


def text(*texts):
    return [{'type': 'text', 'text': each} for each in texts]


resource = {'type': 'resource', 'resource': {'uri': 'file:///n.txt', 'text': 'the text'}}
results = {
    'commit': {'content': text('1234e56')}, 'other': {'content': text('123e456')}, 'null': {'content': text('null')}, 'nan': {'content': text('NaN')},
    'price': {'content': text('1.10')}, 'zeros': {'content': text('007')}, 'two': {'content': text('ONE', 'TWO')}, 'both': {'content': text('2 rows'), 'structuredContent': {'rows': [1, 2]}},
    'data': {'content': [], 'structuredContent': {'id': 1}}, 'embedded': {'content': [resource]}, 'failed': {'content': text('disk full'), 'isError': True},
    'link': {'content': text('see') + [{'type': 'resource_link', 'uri': 'file:///n.txt', 'name': 'n'}]},
}
properties = {
    'n': {'type': 'number', 'minimum': 1, 'maximum': 5}, 'sort': {'type': 'string', 'enum': ['asc', 'desc']}, 'mode': {'const': 'fast'},
    'shape': {'oneOf': [{'type': 'object', 'properties': {'r': {'type': 'integer'}}, 'required': ['r']}, {'type': 'string'}]},
}
tools = [{'name': 'echo', 'description': 'Echoes.', 'inputSchema': {'type': 'object', 'properties': properties}}]
tools += [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    if request['method'] == 'tools/list':
        result = {'tools': tools}
    elif request['method'] == 'tools/call':
        result = results.get(request['params']['name']) or {'content': text('the server got ' + json.dumps(request['params'].get('arguments')))}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import json
import sys
import time
import urllib.error
import urllib.request

base = 'http://127.0.0.1:' + sys.argv[1] + '/'


def ask(path, body=None):
    request = urllib.request.Request(base + path, None if body is None else json.dumps(body).encode(), {'Content-Type': 'application/json'})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


for attempt in range(100):
    try:
        described = json.loads(ask('openapi.json')[1])
        if '/echo' in described['paths']:
            break
    except OSError:
        pass
    time.sleep(0.3)
for name, schema in described['components']['schemas']['echo_form_model']['properties'].items():
    print('shown', name + ':', json.dumps({key: value for key, value in schema.items() if key not in ('title', 'description')}))
for name in ('commit', 'other', 'null', 'nan', 'price', 'zeros', 'two', 'both', 'data', 'link', 'embedded', 'failed'):
    print(name + ':', *ask(name, {}))
print('echo:', *ask('echo', {'n': 9007199254740993, 'sort': 'sideways'}))
PY
port=$(python3 -c "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('mcpo', 'mcp', 'fastapi')))"
env/bin/mcpo --host 127.0.0.1 --port "$port" -- env/bin/python server.py > log 2>&1 & pid=$!
env/bin/python run.py "$port" | tee out || { cat log; exit 1; }
diff out - <<'END'
shown n: {"type": "number"}
shown sort: {"type": "string"}
shown mode: {}
shown shape: {}
commit: 200 1.234e+59
other: 500 Internal Server Error
null: 200 null
nan: 500 Internal Server Error
price: 200 1.1
zeros: 200 "007"
two: 200 ["ONE","TWO"]
both: 200 "2 rows"
data: 200 []
link: 200 "see"
embedded: 200 "Embedded resource not supported yet."
failed: 500 {"detail":{"message":"Unexpected error","error":"500: {'message': 'disk full'}"}}
echo: 200 "the server got {\"n\": 9007199254740992.0, \"sort\": \"sideways\"}"
END
