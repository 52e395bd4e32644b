#!/usr/bin/env bash
# pomera-ai-commander 1.5.1 (PyPI), an MCP server of text tools, its pomera_text_tools and pomera_data_tools, with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: remove_numbers, meant for the numbers of a list, takes any digits and a point from the start of a line: "3.5 kg" is "5 kg", "10 apples" is "apples", a date loses its year. XML to JSON keeps the last of elements with one name,
# and no attribute and no text beside an element. JSON to XML writes keys as they are, so that <my key> and <1> are no XML; its own reader refuses it. -10 has the hexadecimal form "0xxa" and the binary form "0bb1010".
# Seen:   3.5 kg: 5 kg; <a>1</a><a>2</a>: {"a": "2"}; {"my key": "v"}: <root><my key>v</my key></root>
# Expected by most: 3.5 kg; {"a": ["1", "2"]}; a name that XML allows or an error; -0xa.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pomera-ai-commander==1.5.1 mcp==1.30.0
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
from client import Server

print('pomera-ai-commander', importlib.metadata.version('pomera-ai-commander'))
server = Server(os.path.abspath('env/bin/pomera-mcp'))
text = '1. one\n2) two\n3.5 kg\n10 apples\n2026-01-02 open'
print('remove_numbers:', server.call('pomera_text_tools', action='lines', operation='remove_numbers', text=text).split('\n'))
for xml in ('<r><a>1</a><a>2</a></r>', '<r><b unit="kg">5</b></r>', '<r><c>see <i>this</i> page</c></r>'):
    print(xml, '=>', json.dumps(json.loads(server.call('pomera_data_tools', action='json_xml', operation='xml_to_json', text=xml))))
for value in ({'a': [1, 2]}, {'my key': 'v'}, {'1': 'x'}):
    xml = server.call('pomera_data_tools', action='json_xml', operation='json_to_xml', text=json.dumps(value))
    print(json.dumps(value), '=>', xml, '=> is XML for its own reader:', 'rror' not in server.call('pomera_data_tools', action='json_xml', operation='xml_to_json', text=xml))
for number in ('10', '-10'):
    print(number, '=>', server.call('pomera_data_tools', action='encode', type='number_base', value=number).split('\n'))
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
pomera-ai-commander 1.5.1
remove_numbers: ['one', 'two', '5 kg', 'apples', '-01-02 open']
<r><a>1</a><a>2</a></r> => {"a": "2"}
<r><b unit="kg">5</b></r> => {"b": "5"}
<r><c>see <i>this</i> page</c></r> => {"c": {"i": "this"}}
{"a": [1, 2]} => <root><a><item>1</item><item>2</item></a></root> => is XML for its own reader: True
{"my key": "v"} => <root><my key>v</my key></root> => is XML for its own reader: False
{"1": "x"} => <root><1>x</1></root> => is XML for its own reader: False
10 => ['Decimal: 10', 'Binary: 0b1010', 'Octal: 0o12', 'Hexadecimal: 0xa']
-10 => ['Decimal: -10', 'Binary: 0bb1010', 'Octal: 0oo12', 'Hexadecimal: 0xxa']
END
