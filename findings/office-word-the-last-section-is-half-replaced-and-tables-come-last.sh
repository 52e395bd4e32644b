#!/usr/bin/env bash
# PyPI office-word-mcp-server 1.1.11, an MCP server for Word documents, with its python-docx, asked over stdio.
# Behaviour: get_document_text gives all paragraphs first and all tables after the last one, so a table stands under another heading. search_and_replace works within runs, the pieces that Word
# cuts a paragraph into: it says "Replaced 3" of five places, for it counts runs, and leaves a place that two runs share; a text over two runs is "not found", though find_text_in_document finds it.
# With whole_word a word before a full stop or comma is not found. replace_paragraph_block_below_header takes away only half of the paragraphs of a document's last section, and never a table.
# Seen:   table of "Prices" behind "Line 6" / replaced 3, one "price" left / whole word "price": 2 of 5 / last section of six: "All new." and then lines 4 to 6, "removed 3 elements"
# Expected by most: tables in their place, five replaced, five found, the section replaced as a whole.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check office-word-mcp-server==1.1.11
cat > run.py <<'PY'
import json
import os
import subprocess

import docx

document = docx.Document()
document.add_heading('Prices', 1)
document.add_paragraph('The price is here.')
table = document.add_table(1, 2)
table.cell(0, 0).text, table.cell(0, 1).text = 'bolt', '19.90'
document.add_paragraph('A price, and a price.')
parts = document.add_paragraph()
parts.add_run('Note: ').bold = True
parts.add_run('the pri')
parts.add_run('ce of today')
document.add_paragraph('The price.')
document.add_heading('End', 1)
for number in range(1, 7):
    document.add_paragraph(f'Line {number}')
document.save('a.docx')
document.save('b.docx')

server = subprocess.Popen(['env/bin/word_mcp_server'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, 'MCP_TRANSPORT': 'stdio'})
count = 0


def ask(method, params):
    global count
    count += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': count, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    for line in server.stdout:
        if line.startswith('{') and json.loads(line).get('id') == count:
            return json.loads(line)['result']


def call(name, **values):
    return ask('tools/call', {'name': name, 'arguments': values})['content'][0]['text']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
path = os.path.abspath('a.docx')
print('text:', call('get_document_text', filename=path).replace('\n', ' | '))
for word in (False, True):
    print('found, whole words' if word else 'found', json.loads(call('find_text_in_document', filename=path, text_to_find='price', whole_word=word))['total_count'])
print('found "price of"', json.loads(call('find_text_in_document', filename=path, text_to_find='price of'))['total_count'])
print(call('search_and_replace', filename=path, find_text='price of', replace_text='cost of'))
print(call('search_and_replace', filename=path, find_text='price', replace_text='cost'))
print('text:', call('get_document_text', filename=path).replace('\n', ' | '))
path = os.path.abspath('b.docx')
print(call('replace_paragraph_block_below_header', filename=path, header_text='End', new_paragraphs=['All new.']))
print('text:', call('get_document_text', filename=path).replace('\n', ' | '))
server.kill()
PY
env/bin/python -c "import importlib.metadata as m; print('office-word-mcp-server', m.version('office-word-mcp-server'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
text: Prices | The price is here. | A price, and a price. | Note: the price of today | The price. | End | Line 1 | Line 2 | Line 3 | Line 4 | Line 5 | Line 6 | bolt | 19.90
found 5
found, whole words 2
found "price of" 1
No occurrences of 'price of' found.
Replaced 3 occurrence(s) of 'price' with 'cost'.
text: Prices | The cost is here. | A cost, and a cost. | Note: the price of today | The cost. | End | Line 1 | Line 2 | Line 3 | Line 4 | Line 5 | Line 6 | bolt | 19.90
Replaced content under 'End' with 1 paragraph(s), style: Normal, removed 3 elements.
text: Prices | The price is here. | A price, and a price. | Note: the price of today | The price. | End | All new. | Line 4 | Line 5 | Line 6 | bolt | 19.90
END
