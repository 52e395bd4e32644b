#!/usr/bin/env bash
# PyPI mcp-sql-analyst 0.1.0 with mcp 2.3.0 and duckdb 2.0.1, an MCP server for SQL over CSV files that hides personal data, asked over stdio.
# Behaviour: what is hidden goes by a part of the name of the result's column, for numbers as well. A count of e-mails, sales of headphones or of iPhones are
# "****". Digits in any text that could be an Indian telephone number lose their first ones, those of order numbers too, and masked_columns does not name
# that column. Different addresses with one first letter become equal. The tool's own words are "Prefer aggregates over raw rows".
# Seen:   headphones 19: "****", as total: 19 / email_count: "****", as people: 3 / order "A9876543210": "A******3210", masked: [] / ann@ and abe@: both a***@
# Expected by most: figures as they are, and hidden addresses and telephone numbers of persons.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-sql-analyst==0.1.0 mcp==2.3.0 duckdb==2.0.1
cat > sales.csv <<'CSV'
order_no,email,headphones,iphone_sales,chargers
A9876543210,ann@example.org,12,7,5
A9876549999,abe@example.org,3,1,2
A0000000003,cy@example.org,4,2,1
CSV
cat > run.py <<'PY'
import json
import subprocess

server = subprocess.Popen(['env/bin/mcp-sql-analyst', 'sales.csv'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if json.loads(line).get('id') == number:
            return json.loads(line)['result']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
for sql in [
    'select sum(headphones) headphones, sum(iphone_sales) iphones, sum(chargers) chargers from sales',
    'select sum(headphones) total from sales',
    'select count(distinct email) email_count, count(distinct email) people from sales',
    'select order_no from sales order by 1 desc',
    'select email, chargers from sales order by 2 desc',
]:
    answer = json.loads(ask('tools/call', {'name': 'run_query', 'arguments': {'sql': sql}})['content'][0]['text'])
    print(sql)
    print(' ', answer['columns'], answer['rows'], 'masked:', answer['masked_columns'])
server.terminate()
PY
echo 'mcp-sql-analyst 0.1.0'; env/bin/python run.py | tee out
diff out - <<'END'
select sum(headphones) headphones, sum(iphone_sales) iphones, sum(chargers) chargers from sales
  ['headphones', 'iphones', 'chargers'] [['****', '****', 8]] masked: ['headphones', 'iphones']
select sum(headphones) total from sales
  ['total'] [[19]] masked: []
select count(distinct email) email_count, count(distinct email) people from sales
  ['email_count', 'people'] [['****', 3]] masked: ['email_count']
select order_no from sales order by 1 desc
  ['order_no'] [['A******9999'], ['A******3210'], ['A0000000003']] masked: []
select email, chargers from sales order by 2 desc
  ['email', 'chargers'] [['a***@example.org', 5], ['a***@example.org', 2], ['c***@example.org', 1]] masked: ['email']
END
