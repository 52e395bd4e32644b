#!/usr/bin/env bash
# quidclaw-mcp 0.1.1 (PyPI), personal accounts on Beancount as an MCP server, with mcp 1.30.0, beancount 3.2.3 and beanquery 0.2.0 (PyPI), over stdio.
# Behaviour: quotes in a payee or a note are written into the file as they are. The answer is "Transaction recorded", and the amount is in no balance and no report; nothing says so, then or later.
# An account's balance has nothing of the accounts below it: "Assets:Bank: no balance", and balance_check finds 0 where 987.50 is. An account with money on it is closed, and a transaction on it after that is recorded as well.
# Seen:   12.50 for Bob "B" Smith recorded, balance 995 and not 982.50; Assets:Bank: no balance; close of an account with 5 EUR: Account closed
# Expected by most: escaped quotes or an error; the sum of the accounts below; a refusal.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check quidclaw-mcp==0.1.1 mcp==1.30.0 beancount==3.2.3 beanquery==0.2.0
cat > client.py <<'PY'
import json
import os
import subprocess


class Server:
    def __init__(self, *command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, HOME=os.getcwd()))
        self.number = 0
        self.request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'finding', 'version': '1'})
        self.write({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + '\n')
        self.process.stdin.flush()

    def request(self, method, **params):
        self.number += 1
        self.write({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get('id') == self.number:
                return message['result']

    def call(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.request('tools/call', name=tool, arguments=arguments)['content'])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
PY
cat > run.py <<'PY'
import importlib.metadata
import os
from client import Server

os.environ['QUIDCLAW_DATA_DIR'] = os.path.join(os.getcwd(), 'data')
print('quidclaw-mcp', importlib.metadata.version('quidclaw-mcp'))
server = Server(os.path.abspath('env/bin/quidclaw-mcp'))


def pay(payee, amount, source, target, day='2030-01-05'):
    postings = [{'account': target, 'amount': amount, 'currency': 'EUR'}, {'account': source, 'amount': '-' + amount, 'currency': 'EUR'}]
    print(server.call('add_transaction', date=day, payee=payee, narration='note', postings=postings))


server.call('init_ledger')
for name in ('Assets:Bank:Giro', 'Assets:Bank:Savings2', 'Expenses:Meals', 'Income:Job'):
    server.call('add_account', name=name, currencies=['EUR'])
pay('Employer', '1000', 'Income:Job', 'Assets:Bank:Giro')
pay('Bob "B" Smith', '12.50', 'Assets:Bank:Giro', 'Expenses:Meals')
pay('Own', '5', 'Assets:Bank:Giro', 'Assets:Bank:Savings2')
for account in ('Assets:Bank:Giro', 'Expenses:Meals', 'Assets:Bank:Savings2', 'Assets:Bank'):
    print(server.call('get_balance', account=account))
print(server.call('balance_check', account='Assets:Bank', expected_amount='987.50', currency='EUR'))
print(server.call('close_account', name='Assets:Bank:Savings2'))
pay('Own', '7', 'Assets:Bank:Giro', 'Assets:Bank:Savings2', '2031-01-05')
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
quidclaw-mcp 0.1.1
Transaction recorded: 2030-01-05 Employer - note
Transaction recorded: 2030-01-05 Bob "B" Smith - note
Transaction recorded: 2030-01-05 Own - note
Assets:Bank:Giro: 995 EUR
Expenses:Meals: no balance
Assets:Bank:Savings2: 5 EUR
Assets:Bank: no balance
Assets:Bank: expected 987.50 EUR, actual 0 EUR (diff: -987.50)
Account closed: Assets:Bank:Savings2
Transaction recorded: 2031-01-05 Own - note
END
