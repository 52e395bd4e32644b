#!/usr/bin/env bash
# timeverse-office-doc-mcp 0.1.0 (PyPI), an MCP server for Word and other office files, with mcp 2.3.0 and python-docx 1.2.0 (PyPI), over stdio.
# Behaviour: word_format_text takes a start and an end, and formats each piece of the paragraph (a run) that they touch as a whole. A paragraph that was written in one go is one piece: to make an amount bold makes the sentence bold. The answer names the range that was asked.
# word_search_replace works piece by piece too: a name whose end is bold is not found, though word_extract_text shows it, nor is one in the header. The number of replacements says nothing of those that stay.
# Seen:   bold 4 to 7 of "Pay 500 euros before Monday.": all of it bold; 2 of 4 "Ann" replaced, replaced_count 2
# Expected by most: "500" bold; all four, or a word on those that were left.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check timeverse-office-doc-mcp==0.1.0 mcp==2.3.0 python-docx==1.2.0
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
from client import Server

print('timeverse-office-doc-mcp', importlib.metadata.version('timeverse-office-doc-mcp'))
path = os.path.abspath('letter.docx')
document = docx.Document()
document.sections[0].header.paragraphs[0].text = 'Letter to Ann'
document.add_paragraph('Pay 500 euros before Monday.')
paragraph = document.add_paragraph('Dear A')
paragraph.add_run('nn').bold = True
paragraph.add_run(', this is for Ann.')
document.add_table(rows=1, cols=1).cell(0, 0).text = 'Ann'
document.save(path)
server = Server(os.path.abspath('env/bin/timeverse-office-doc-mcp'))


def show():
    document = docx.Document(path)
    for paragraph in document.paragraphs:
        print('  ', ['**' + run.text + '**' if run.bold else run.text for run in paragraph.runs])
    print('   table', document.tables[0].cell(0, 0).text, '/ header', document.sections[0].header.paragraphs[0].text)


answer = json.loads(server.call('word_format_text', filename=path, paragraph_idx=0, start=4, end=7, bold=True))
print('bold, range', answer['range'])
show()
print('text:', json.loads(server.call('word_extract_text', filename=path))['text'].split('\n'))
print('replaced_count', json.loads(server.call('word_search_replace', filename=path, find_text='Ann', replace_text='Eve'))['replaced_count'])
show()
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
timeverse-office-doc-mcp 0.1.0
bold, range [4, 7]
   ['**Pay 500 euros before Monday.**']
   ['Dear A', '**nn**', ', this is for Ann.']
   table Ann / header Letter to Ann
text: ['Pay 500 euros before Monday.', 'Dear Ann, this is for Ann.']
replaced_count 2
   ['**Pay 500 euros before Monday.**']
   ['Dear A', '**nn**', ', this is for Eve.']
   table Eve / header Letter to Ann
END
