#!/usr/bin/env bash
# mcp-docgen 0.8.0 (PyPI), an MCP server that writes and reads office documents, with mcp 1.30.0, openpyxl 3.1.5 and python-docx 1.2.0 (PyPI), over stdio.
# Behaviour: a text that begins with + - or @ gets an apostrophe as its first letter in the cell, by create_xlsx and edit_xlsx: phone numbers, negative amounts that are texts, handles and notes with a dash. It is a letter of the value: its own reader
# gives it back, a search for the number fails. (The README speaks of formulas, "=...", alone.) read_docx leaves out the words of a link, so that "Read the report before Monday." is "Read  before Monday."; each item of a numbered list is 1.
# Seen:   "+49 30 123" is read as "'+49 30 123", "-12.50" as "'-12.50"; "Read  before Monday."
# Expected by most: the text that was written; the whole sentence; 1. and 2.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-docgen==0.8.0 mcp==1.30.0 openpyxl==3.1.5 python-docx==1.2.0
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
import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from client import Server

print('mcp-docgen', importlib.metadata.version('mcp-docgen'))
server = Server(os.path.abspath('env/bin/mcp-docgen'))
here = os.getcwd()


def rows(path):
    return json.loads(server.call('read_xlsx', input_path=path, base_dir=here))['sheets'][0]['rows']


server.call('create_xlsx', sheets=[{'name': 'S', 'rows': [['+49 30 123', '-12.50', '@ann', '- by hand', 'a-b', -5]]}], output_path='a.xlsx', base_dir=here)
print('written and read:', rows('a.xlsx'))
server.call('edit_xlsx', input_path='a.xlsx', output_path='b.xlsx', edits={'set_cells': [{'sheet': 'S', 'cell': 'A1', 'value': '+49 30 999'}]}, base_dir=here)
print('after an edit:', rows('b.xlsx'))
document = docx.Document()
paragraph = document.add_paragraph('Read ')
link = OxmlElement('w:hyperlink')
link.set(qn('r:id'), paragraph.part.relate_to('https://example.org/r', 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink', is_external=True))
run, text = OxmlElement('w:r'), OxmlElement('w:t')
text.text = 'the report'
run.append(text)
link.append(run)
paragraph._p.append(link)
paragraph.add_run(' before Monday.')
for item in ('one', 'two'):
    document.add_paragraph(item, style='List Number')
document.save('c.docx')
print('document:', json.loads(server.call('read_docx', input_path='c.docx', base_dir=here))['markdown'].split('\n\n'))
server.call('create_docx', markdown='See [the plan](https://example.org/p) first.\n', output_path='d.docx', base_dir=here)
print('its own document:', json.loads(server.call('read_docx', input_path='d.docx', base_dir=here))['markdown'].split('\n\n'))
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
mcp-docgen 0.8.0
written and read: [["'+49 30 123", "'-12.50", "'@ann", "'- by hand", 'a-b', -5]]
after an edit: [["'+49 30 999", "'-12.50", "'@ann", "'- by hand", 'a-b', -5]]
document: ['Read  before Monday.', '1. one', '1. two']
its own document: ['See  first.']
END
