#!/usr/bin/env bash
# inventory-management-ai-mcp 1.0.10 (PyPI), an MCP server for stock, with mcp 1.30.0 (PyPI), over stdio: sku_optimizer and shrinkage_detector.
# Behaviour: an article is of class A only if the revenue up to and with it is at most 80 percent. So an article that brings 90 percent of all revenue is of class B, and there is no A at all.
# An article that brings everything is of class C, with advice for things of low priority. The summary says: "Follows 80/20 rule: 0 SKUs generate 0% of revenue".
# Shrinkage is the sum of expected less counted value, so that ten pieces too many of one article cancel ten missing pieces of another: 0 percent, "excellent inventory control".
# Seen:   90 percent: class B / 100 percent: class C / 10 of x missing and 10 of y too many: total_shrinkage 0
# Expected by most: the best seller is class A; a loss of 250 in the total.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check inventory-management-ai-mcp==1.0.10 mcp==1.30.0
cat > ask.py <<'PY'
import itertools
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio; gives a function that calls its tools, and one for other requests."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})
    numbers = itertools.count(1)

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        number = next(numbers)
        send(id=number, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == number:
                return answer.get('result') or answer['error']

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > run.py <<'PY'
import json
from ask import start

call, _ = start('env/bin/inventory_management_ai_mcp')
for revenues in [{'big': 900, 'small': 100}, {'only': 1000}, {'a': 800, 'b': 150, 'c': 50}]:
    skus = [{'sku': name, 'revenue': revenue, 'quantity': 10, 'cost': 5, 'demand_cv': 0.3} for name, revenue in revenues.items()]
    answer = json.loads(call('sku_optimizer', skus=skus))
    for article in answer['classification']:
        print(article['sku'], f"{article['revenue_pct']} percent of the revenue, class", article['abc_class'], '-', article['strategy'])
    print('  ', answer['pareto_check'])
counts = [{'sku': 'x', 'expected_qty': 100, 'actual_qty': 90}, {'sku': 'y', 'expected_qty': 100, 'actual_qty': 110}]
answer = json.loads(call('shrinkage_detector', inventory_records=[{**count, 'value_per_unit': 25, 'category': 'e'} for count in counts]))
print({key: answer[key] for key in ('total_shrinkage', 'shrinkage_rate_pct', 'assessment')}, [(case['sku'], case['value_lost']) for case in answer['top_anomalies']])
PY
echo "inventory-management-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('inventory-management-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
big 90.0 percent of the revenue, class B - Periodic review, standard safety stock
small 10.0 percent of the revenue, class C - Low priority, periodic check
   Follows 80/20 rule: 0 SKUs (0.0%) generate 0% of revenue
only 100.0 percent of the revenue, class C - Low priority, periodic check
   Follows 80/20 rule: 0 SKUs (0.0%) generate 0% of revenue
a 80.0 percent of the revenue, class A - Regular review, safety stock, demand monitoring
b 15.0 percent of the revenue, class B - Periodic review, standard safety stock
c 5.0 percent of the revenue, class C - Low priority, periodic check
   Deviates from 80/20 rule: 1 SKUs (33.3%) generate 80.0% of revenue
{'total_shrinkage': 0, 'shrinkage_rate_pct': 0.0, 'assessment': 'Below average - excellent inventory control'} [('x', 250)]
END
