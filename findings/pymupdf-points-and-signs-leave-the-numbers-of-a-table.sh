#!/usr/bin/env bash
# pymupdf 2.0 (PyPI), with which most agents in Python read PDF: Page.find_tables() and extract(), as its guide shows them, before and after (1.28.2), and pdfplumber 0.11.10 (PyPI) as the judge. The
# pages come from reportlab 5.1.0 (PyPI).
# Behaviour: since 2.0 points, commas and minus signs go out of their words into a line of their own below the cell's text (before, underscores alone did), and blanks between words go. So 1.50 is "150" and "." in the next
# line, -4.00 is "400", a date is 20240501, and who cuts the line break or reads the first line has a number a hundred times as large. It is so in all fonts that were tried; in Courier blanks come into
# the numbers. The text of the page (get_text) is right, and so was the table in 1.28.2.
# Seen:   1,234.50: "123450\n, ." / -4.00: "400\n- ." / 2024-05-01: "20240501\n- -" / Bolt M8: "BoltM8"; 1.28.2 and pdfplumber: as they are on the page
# Most would guess: the words of the page, each in its cell.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
for version in 1.28.2 2.0; do python3 -m venv "env-$version"; "env-$version/bin/pip" install --quiet --disable-pip-version-check "pymupdf==$version" reportlab==5.1.0 pdfplumber==0.11.10; done
cat > make.py <<'PY'
from reportlab.lib import colors
from reportlab.platypus import SimpleDocTemplate, Table, TableStyle

rows = [['Item', 'Price', 'Date'], ['Bolt M8', '1,234.50', '2024-05-01'], ['Refund', '-4.00', 'v1.2.3'], ['Rate', '7.5%', 'user_id']]
for font in ('Helvetica', 'Courier'):
    table = Table(rows)
    table.setStyle(TableStyle([('GRID', (0, 0), (-1, -1), 0.5, colors.black), ('FONT', (0, 0), (-1, -1), font, 8)]))
    SimpleDocTemplate(font + '.pdf').build([table])
PY
cat > run.py <<'PY'
import pdfplumber
import pymupdf

for font in ('Helvetica', 'Courier'):
    document = pymupdf.open(font + '.pdf')
    print(f'pymupdf {pymupdf.__version__}, {font}, find_tables:', document[0].find_tables()[0].extract()[1:])
    print(f'pymupdf {pymupdf.__version__}, {font}, get_text:', document[0].get_text().split('\n')[3:6])
    if pymupdf.__version__ != '1.28.2':
        print(f'pdfplumber, {font}:', pdfplumber.open(font + '.pdf').pages[0].extract_tables()[0][1:])
PY
env-2.0/bin/python make.py
env-2.0/bin/python -c "import importlib.metadata as m; print('pymupdf', m.version('pymupdf'), 'pdfplumber', m.version('pdfplumber'), 'reportlab', m.version('reportlab'))"
{ env-1.28.2/bin/python run.py; env-2.0/bin/python run.py; } | grep '^p' | tee out
diff out - <<'END'
pymupdf 1.28.2, Helvetica, find_tables: [['Bolt M8', '1,234.50', '2024-05-01'], ['Refund', '-4.00', 'v1.2.3'], ['Rate', '7.5%', 'user id\n_']]
pymupdf 1.28.2, Helvetica, get_text: ['Bolt M8', '1,234.50', '2024-05-01']
pymupdf 1.28.2, Courier, find_tables: [['Bolt M8', '1,234.50', '2024-05-01'], ['Refund', '-4.00', 'v1.2.3'], ['Rate', '7.5%', 'user id\n_']]
pymupdf 1.28.2, Courier, get_text: ['Bolt M8', '1,234.50', '2024-05-01']
pymupdf 2.0, Helvetica, find_tables: [['BoltM8', '123450\n, .', '20240501\n- -'], ['Refund', '400\n- .', 'v123\n. .'], ['Rate', '75%\n.', 'user id\n_']]
pymupdf 2.0, Helvetica, get_text: ['Bolt M8', '1,234.50', '2024-05-01']
pdfplumber, Helvetica: [['Bolt M8', '1,234.50', '2024-05-01'], ['Refund', '-4.00', 'v1.2.3'], ['Rate', '7.5%', 'user_id']]
pymupdf 2.0, Courier, find_tables: [['Bolt M8', '1 234 50\n, .', '2024-05-01'], ['Refund', '-4 .00', 'v1 .2 .3'], ['Rate', '7 5%\n.', 'user id\n_']]
pymupdf 2.0, Courier, get_text: ['Bolt M8', '1,234.50', '2024-05-01']
pdfplumber, Courier: [['Bolt M8', '1,234.50', '2024-05-01'], ['Refund', '-4.00', 'v1.2.3'], ['Rate', '7.5%', 'user_id']]
END
