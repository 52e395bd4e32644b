#!/usr/bin/env bash
# mcp-haystack 2.1.1 with haystack-ai 3.4.1 and mcp 2.3.0 (PyPI), MCPToolset before a small MCP server over stdio.
# Behaviour: a toolset that was just made connects nowhere and holds one tool of a made-up name, which can be called and answers None without an error; after
# warm_up() it holds the real ones. A result is one string, JSON of the whole of it with the members of the protocol that are null, so that a text of
# JSON is in it with every quote escaped. A result that says isError is an exception whose message is Python's notation.
# Seen:   before: mcp_not_connected_placeholder_..., None / after: {"_meta":null,"content":[{"type":"text","text":"{\"id\": 1}", ...
# Expected by most: no tools or an error before it is connected, and the text after that.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-haystack==2.1.1 haystack-ai==3.4.1 mcp==2.3.0
cat > server.py <<'PY'
import json
import sys

results = {'found': {'content': [{'type': 'text', 'text': '{"id": 1}'}]}, 'failed': {'content': [{'type': 'text', 'text': 'line 1\nline 2'}], 'isError': True}}
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        answer = {'result': {'tools': [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in results]}}
    elif request['method'] == 'tools/call':
        answer = {'result': results[request['params']['name']]}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import re
import sys
from haystack_integrations.tools.mcp import MCPToolset, StdioServerInfo

toolset = MCPToolset(StdioServerInfo(command=sys.executable, args=['server.py']))
for moment in ('before', 'after'):
    for tool in toolset:
        try:
            value = tool.invoke()
        except Exception as error:
            value = type(error).__name__ + ' ' + str(error).partition('returned an error: ')[2]
        print(f'{moment}: {re.sub("[0-9]+", "N", tool.name)}: {value}')
    toolset.warm_up()
toolset.close()
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('mcp-haystack', 'haystack-ai', 'mcp')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
before: mcp_not_connected_placeholder_N: None
after: found: {"_meta":null,"content":[{"type":"text","text":"{\"id\": 1}","annotations":null,"_meta":null}],"structuredContent":null,"isError":false,"resultType":"complete"}
after: failed: ToolInvocationError [TextContent(type='text', text='line 1\nline 2', annotations=None, meta=None)]
END
