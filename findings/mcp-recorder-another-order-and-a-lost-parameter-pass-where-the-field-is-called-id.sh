#!/usr/bin/env bash
# mcp-recorder 0.5.0 (PyPI): a small MCP server is recorded and verify then asks the next version of it the same.
# Behaviour: verify leaves out each field that is called id, at any depth and not only the number of the JSON-RPC message. Structured data with another id
# passes, an id that became a text or is gone passes, and so does a tool whose parameter id has another type or is gone from the schema. The same change in
# a field order_id fails, and so does an id in JSON that stands in a text. The README names fields that one must ask to have left out, not this one.
# Seen:   id 1001 -> 2002: PASS / id gone: PASS / parameter id an integer -> a text: PASS / order_id 1001 -> 2002: FAIL
# Expected by most: FAIL for all changes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-recorder==0.5.0 'starlette<1'
cat > server.py <<'PY'
import json
import sys

change = sys.argv[1]
found = {'id': 1001, 'order_id': 1001, 'items': [{'id': 7, 'name': 'pen'}]}
schema = {'type': 'object', 'properties': {'id': {'type': 'integer'}, 'order_id': {'type': 'integer'}}}
text = '{"id": 1001}'
if change == 'id is another':
    found['id'] = 2002
elif change == 'ids of items are gone':
    del found['items'][0]['id']
elif change == 'id is a text':
    found['id'] = '1001'
elif change == 'parameter id is a text':
    schema['properties']['id'] = {'type': 'string'}
elif change == 'parameter id is gone':
    del schema['properties']['id']
elif change == 'order_id is another':
    found['order_id'] = 2002
elif change == 'parameter order_id is a text':
    schema['properties']['order_id'] = {'type': 'string'}
elif change == 'id in a text is another':
    text = '{"id": 2002}'
for line in sys.stdin:
    asked = json.loads(line)
    if 'id' not in asked:
        continue
    if asked['method'] == 'initialize':
        result = {'protocolVersion': asked['params']['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'shop', 'version': '1'}}
    elif asked['method'] == 'tools/list':
        result = {'tools': [{'name': 'order', 'inputSchema': schema}]}
    else:
        result = {'content': [{'type': 'text', 'text': text}], 'structuredContent': found}
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result}), flush=True)
PY
cat > scenarios.yml <<'YAML'
schema_version: "1.0"
target: {command: python3, args: [server.py, none]}
scenarios:
  orders:
    actions:
      - list_tools
      - call_tool: {name: order, arguments: {id: 1001}}
YAML
env/bin/mcp-recorder record-scenarios scenarios.yml --output-dir cassettes > log 2>&1
env/bin/mcp-recorder --version
for change in 'none' 'id is another' 'ids of items are gone' 'id is a text' 'parameter id is a text' 'parameter id is gone' 'order_id is another' \
  'parameter order_id is a text' 'id in a text is another'; do
  echo "$change: $(env/bin/mcp-recorder verify --cassette cassettes/orders.json --target-stdio "python3 server.py '$change'" 2> /dev/null | grep Result)"
done | tee out
diff out - <<'END'
none: 
id is another: 
ids of items are gone: 
id is a text: 
parameter id is a text: 
parameter id is gone: 
order_id is another: 
parameter order_id is a text: 
id in a text is another: 
END
