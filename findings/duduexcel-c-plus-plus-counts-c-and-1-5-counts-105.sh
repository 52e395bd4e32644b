#!/usr/bin/env bash
# duduexcel 0.3.1 (PyPI, extra "analysis"), an MCP server that filters and sums Excel files, with mcp 2.3.0, pandas 3.1.1 and openpyxl 3.1.5 (PyPI), over stdio.
# Behaviour: the filter "contains" takes its text as a pattern (startswith does not): "C++" counts the rows of C and C# too, "1.5" counts 105 and 1x5. The Excel formula that it hands out as the same thing would search for the letters, and is none that Excel takes:
# COUNTIFS([skill]startswith"C++"), =MEAN([amount]). A sum of a column with one text in it ("1,200") leaves the text out without a word.
# Seen:   contains "C++": 3 rows of C++, C and C#; contains "1.5": 3; "=MEAN([amount])"
# Expected by most: 1 row each; =AVERAGE(...).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check duduexcel==0.3.1 mcp==2.3.0 pandas==3.1.1 openpyxl==3.1.5
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
import json
import os
import openpyxl
from client import Server

print('duduexcel', importlib.metadata.version('duduexcel'))
book = openpyxl.Workbook()
for row in [['skill', 'size', 'amount'], ['C++', '1.5', 10], ['C', '105', 20], ['C#', '1x5', '1,200'], ['Go', 'a|b', 5]]:
    book.active.append(row)
book.save('book.xlsx')
server = Server(os.path.abspath('env/bin/duduexcel'))
path = os.path.abspath('book.xlsx')


def count(column, operator, value):
    answer = json.loads(server.call('filter_count', file_path=path, filters=[{'column': column, 'op': operator, 'value': value}], sample=9))
    print(f'{column} {operator} {value!r}:', answer['matched_rows'], [row[column] for row in answer['sample_rows']], answer.get('excel_formula'))


count('skill', 'contains', 'C++')
count('skill', 'startswith', 'C++')
count('size', 'contains', '1.5')
count('size', 'contains', 'a|b')
count('size', '==', '1.5')
for operation in ('sum', 'mean', 'count'):
    answer = json.loads(server.call('aggregate', file_path=path, column='amount', op=operation))
    print(operation, answer['value'], answer['excel_formula'], 'rows', answer['rows_after_filter'])
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
duduexcel 0.3.1
skill contains 'C++': 3 ['C++', 'C', 'C#'] COUNTIFS(ISNUMBER(SEARCH("C++",[skill])))
skill startswith 'C++': 1 ['C++'] COUNTIFS([skill]startswith"C++")
size contains '1.5': 3 ['1.5', '105', '1x5'] COUNTIFS(ISNUMBER(SEARCH("1.5",[size])))
size contains 'a|b': 1 ['a|b'] COUNTIFS(ISNUMBER(SEARCH("a|b",[size])))
size == '1.5': 1 ['1.5'] COUNTIFS([size]="1.5")
sum 35 =SUM([amount]) rows 4
mean 11.6667 =MEAN([amount]) rows 4
count 3 =COUNT([amount]) rows 4
END
