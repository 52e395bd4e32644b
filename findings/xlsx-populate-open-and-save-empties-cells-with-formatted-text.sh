#!/usr/bin/env bash
# xlsx-populate 1.21.0 (npm), a workbook of openpyxl 3.1.5 (PyPI): opened, one other cell set, saved.
# Behaviour: a cell whose text has formatted parts (bold, red) and is stored in the cell itself, as openpyxl and other writers do, is read as nodes of
# XML instead of a text, and is empty after saving. Plain texts, comments, rules, names and links are kept. There is no error.
# Seen:   value() gives [{"name":"r",...}], after saving None
# Expected by most: the text, formatted or not.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check openpyxl==3.1.5
npm init -y >/dev/null; npm install --silent --no-audit --no-fund xlsx-populate@1.21.0
cat > make.py <<'PY'
import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment

book = openpyxl.Workbook()
sheet = book.active
sheet['A1'] = 'plain'
sheet['A1'].comment = Comment('note', 'me')
sheet['B1'] = CellRichText('Do ', TextBlock(InlineFont(b=True), 'not'), ' open')
sheet['C1'] = 5
book.save('before.xlsx')
PY
cat > save.js <<'JS'
const XlsxPopulate = require('xlsx-populate');
console.log('xlsx-populate', require('xlsx-populate/package.json').version);
XlsxPopulate.fromFileAsync('before.xlsx').then(book => {
  const value = book.sheet(0).cell('B1').value();
  console.log('B1 is', Array.isArray(value) ? 'a list of ' + value.map(v => '<' + v.name + '>').join(' ') : value);
  book.sheet(0).cell('C1').value(6);
  return book.toFileAsync('after.xlsx');
});
JS
cat > read.py <<'PY'
import openpyxl

for name in ('before.xlsx', 'after.xlsx'):
    sheet = openpyxl.load_workbook(name).active
    print(name, [cell.value for cell in sheet[1]], sheet['A1'].comment.text)
PY
{ env/bin/python make.py; node save.js; env/bin/python read.py; } | tee out
diff out - <<'END'
xlsx-populate 1.21.0
B1 is a list of <r> <r> <r>
before.xlsx ['plain', 'Do not open', 5] note
after.xlsx ['plain', None, 6] note
END
