#!/usr/bin/env bash
# tablebridge 0.1.1 (PyPI), an MCP server that makes SQL tables of a folder of files, with mcp 1.30.0 and duckdb 2.0.1 (PyPI): the tools refresh and query over stdio.
# Behaviour: tables have the names of their files without folders, and files of one name are numbered in the order of their paths. A file that is added later can come first in that order: then the name "orders" means the new
# file, and the old one is orders_2. refresh only tells how many tables there are. The same query then gives figures of another file.
# Seen:   sum(total) of orders: 30; after 2025/orders.csv was added beside 2026/orders.csv and refresh: 1000
# Expected by most: a name once given stays with its file (or the folder is in the name).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tablebridge==0.1.1 mcp==1.30.0 duckdb==2.0.1
cat > peer.py <<'PY'
import json
import os
import subprocess


def connect(*command, **env):
    child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, 'HOME': os.getcwd(), **env})

    def ask(method, **params):
        first = '' if method != 'tools/call' else json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'
        print(first + json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}), file=child.stdin, flush=True)
        while not ((line := next(child.stdout)).startswith('{') and 'result' in line and (reply := json.loads(line)).get('id') == 7):
            pass
        return reply['result']

    ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'peer', 'version': '1'})
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in ask('tools/call', name=tool, arguments=arguments)['content'])
PY
mkdir -p data/2026 data/2025
printf 'id,total\n1,10\n2,20\n' > data/2026/orders.csv
cat > run.py <<'PY'
import json
from peer import connect

call = connect('env/bin/tablebridge', TABLEBRIDGE_DATA_DIR='data')


def look():
    print(' ', *(f"{source['table']}: {source['file']}" for source in json.loads(call('list_sources'))))
    print('  sum of orders:', json.loads(call('query', sql='select sum(total) as total from orders'))['rows'][0]['total'])


look()
open('data/2025/orders.csv', 'w').write('id,total\n1,1000\n')
print(json.loads(call('refresh')))
look()
PY
echo "tablebridge $(env/bin/python -c "import importlib.metadata as m; print(m.version('tablebridge'))")"
python3 run.py | tee out
diff out - <<'END'
  orders: 2026/orders.csv
  sum of orders: 30
{'reloaded_tables': 2}
  orders: 2025/orders.csv orders_2: 2026/orders.csv
  sum of orders: 1000
END
