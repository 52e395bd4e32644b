#!/usr/bin/env bash
# tablebridge 0.1.1 (PyPI), an MCP server that makes SQL tables of a folder of files, with mcp 1.30.0 and duckdb 2.0.1 (PyPI): the tool query over stdio.
# Behaviour: rows are given as objects by the name of the column. Where two columns of a query have one name, the later one takes the place of the earlier: a join of orders and customers, both with an id, gives each order the
# id of its customer, so two orders have one id. "columns" still names both. The README shows joins as the point of the package.
# Seen:   select o.*, c.* : columns id, customer_id, total, id, name; rows {"id": 7, ...} and {"id": 7, ...} for the orders 1 and 2
# Expected by most: id and id_1, or lists in the order of "columns".
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
mkdir data
printf 'id,customer_id,total\n1,7,10\n2,7,20\n' > data/orders.csv
printf 'id,name,total\n7,Ann,999\n' > data/customers.csv
cat > run.py <<'PY'
import json
from peer import connect

call = connect('env/bin/tablebridge', TABLEBRIDGE_DATA_DIR='data')
for sql in ['select * from orders', 'select o.*, c.id, c.name from orders o join customers c on c.id = o.customer_id', 'select * from orders o join customers c on c.id = o.customer_id', 'select o.id as order_id, c.id as customer from orders o join customers c on c.id = o.customer_id']:
    answer = json.loads(call('query', sql=sql))
    print(sql)
    print('  columns', *answer['columns'])
    for row in answer['rows']:
        print(' ', json.dumps(row))
PY
echo "tablebridge $(env/bin/python -c "import importlib.metadata as m; print(m.version('tablebridge'))")"
python3 run.py | tee out
diff out - <<'END'
select * from orders
  columns id customer_id total
  {"id": 1, "customer_id": 7, "total": 10}
  {"id": 2, "customer_id": 7, "total": 20}
select o.*, c.id, c.name from orders o join customers c on c.id = o.customer_id
  columns id customer_id total id name
  {"id": 7, "customer_id": 7, "total": 10, "name": "Ann"}
  {"id": 7, "customer_id": 7, "total": 20, "name": "Ann"}
select * from orders o join customers c on c.id = o.customer_id
  columns id customer_id total id name total
  {"id": 7, "customer_id": 7, "total": 999, "name": "Ann"}
  {"id": 7, "customer_id": 7, "total": 999, "name": "Ann"}
select o.id as order_id, c.id as customer from orders o join customers c on c.id = o.customer_id
  columns order_id customer
  {"order_id": 1, "customer": 7}
  {"order_id": 2, "customer": 7}
END
