#!/usr/bin/env bash
# crewai 1.15.30 with mcp 1.30.0 (PyPI): an Agent with mcps=[MCPServerStdio(...)], before a small MCP server over stdio that counts its calls.
# Behaviour: (1) the name that the model is given for a tool begins with the command line that starts the server, every argument of it. With more than a few arguments that is
# longer than 64 characters, the end is cut off and replaced by eight hex digits, and the end is the tool's own name: list_tables, read_rows and drop_table
# differ in those digits alone. (2) The server is started anew for each call and ended after it, so what it keeps in memory from one call to the next is gone: every call is
# the first. With the same server by way of crewai-tools' MCPServerAdapter one process serves the whole run and the names are the server's.
# Seen:   python3_server_py_list_tables / with --database ... --read-only: python3_server_py_database_postgresql_reader_db_example_<digits> / call 1, call 1, call 1
# Expected by most: the tool's name, perhaps with the server's before it, and one connection for the run.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check crewai==1.15.30 mcp==1.30.0
cat > server.py <<'PY'
import json
import sys

count = 0
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'result': {}} if request['method'] == 'ping' else {'error': {'code': -32601, 'message': 'unknown'}}
    if request['method'] == 'initialize':
        answer = {'result': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'tables', 'version': '1'}}}
    elif request['method'] == 'tools/list':
        names = ('list_tables', 'read_rows', 'drop_table')
        answer = {'result': {'tools': [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in names]}}
    elif request['method'] == 'tools/call':
        count += 1
        answer = {'result': {'content': [{'type': 'text', 'text': f'call {count} of this server, ' + request['params']['name']}]}}
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)
PY
cat > run.py <<'PY'
import json
from crewai import Agent, BaseLLM, Crew, Task
from crewai.mcp import MCPServerStdio


class Pretend(BaseLLM):
    def __init__(self):
        super().__init__(model='pretend')
        self._picks, self._names, self._results = [0, 1, 0], None, None

    def supports_function_calling(self):
        return True

    def call(self, messages, tools=None, **more):
        self._names = self._names or [tool['function']['name'] for tool in tools]
        self._results = [message['content'] for message in messages if message['role'] == 'tool']
        if not self._picks:
            return 'end'
        return [{'id': f'c{len(self._picks)}', 'type': 'function', 'function': {'name': self._names[self._picks.pop(0)], 'arguments': '{}'}}]


for more in ([], ['--database', 'postgresql://reader@db.example/sales', '--schema', 'public', '--read-only']):
    model = Pretend()
    agent = Agent(role='r', goal='g', backstory='b', llm=model, mcps=[MCPServerStdio(command='python3', args=['server.py', *more])])
    Crew(agents=[agent], tasks=[Task(description='d', expected_output='e', agent=agent)]).kickoff()
    for name in model._names:
        print(len(more), 'arguments, name:', name)
    for result in model._results:
        print(len(more), 'arguments, result:', result)
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('crewai', 'mcp')))"
HOME=$dir CREWAI_DISABLE_TELEMETRY=true OTEL_SDK_DISABLED=true CREWAI_TRACING_ENABLED=false env/bin/python run.py 2>&1 < /dev/null | tee log | grep -E '^[0-9] arguments, ' | tee out || { cat log; exit 1; }
sed -E 's/_[0-9a-f]{8}$/_<digits>/' out | diff - <(cat <<'END'
0 arguments, name: python3_server_py_list_tables
0 arguments, name: python3_server_py_read_rows
0 arguments, name: python3_server_py_drop_table
0 arguments, result: call 1 of this server, list_tables
0 arguments, result: call 1 of this server, read_rows
0 arguments, result: call 1 of this server, list_tables
5 arguments, name: python3_server_py_database_postgresql_reader_db_example_<digits>
5 arguments, name: python3_server_py_database_postgresql_reader_db_example_<digits>
5 arguments, name: python3_server_py_database_postgresql_reader_db_example_<digits>
5 arguments, result: call 1 of this server, list_tables
5 arguments, result: call 1 of this server, read_rows
5 arguments, result: call 1 of this server, list_tables
END
)
