#!/usr/bin/env bash
# easy-template-x 7.2.8 (npm), a .docx template with several tags in one paragraph; template and result are made and read with python-docx 1.2.0 (PyPI).
# Behaviour: a value with a line break is written up to the break; then comes all the rest of the paragraph, and the further lines of the value
# stand behind that. "Ship to {address} before {day}." with an address of two lines reads as "Ship to 1 Main St before Monday." and
# "Berlin" below. With two such values the lines are mixed. A tag alone in its paragraph is right.
# Seen:   'Ship to 1 Main St before Monday.\nBerlin'
# Expected by most: 'Ship to 1 Main St\nBerlin before Monday.'
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-docx==1.2.0
npm init -y >/dev/null; npm install --silent --no-audit --no-fund easy-template-x@7.2.8
cat > make.py <<'PY'
import docx

document = docx.Document()
for text in ('Ship to {address} before {day}.', 'From {address} to {other}; call first.', '{address}', 'Ship to {address}'):
    document.add_paragraph(text)
document.save('template.docx')
PY
cat > fill.mjs <<'JS'
import fs from 'fs';
import { TemplateHandler } from 'easy-template-x';
console.log('easy-template-x', JSON.parse(fs.readFileSync('node_modules/easy-template-x/package.json')).version);
const data = { address: '1 Main St\nBerlin', other: '2 High St\nParis', day: 'Monday' };
fs.writeFileSync('filled.docx', await new TemplateHandler().process(fs.readFileSync('template.docx'), data));
JS
cat > read.py <<'PY'
import docx

for before, after in zip(docx.Document('template.docx').paragraphs, docx.Document('filled.docx').paragraphs):
    print(repr(before.text), '|', repr(after.text))
PY
{ env/bin/python make.py; node fill.mjs; env/bin/python read.py; } | tee out
diff out - <<'END'
easy-template-x 7.2.8
'Ship to {address} before {day}.' | 'Ship to 1 Main St before Monday.\nBerlin'
'From {address} to {other}; call first.' | 'From 1 Main St to 2 High St; call first.\nBerlin\nParis'
'{address}' | '1 Main St\nBerlin'
'Ship to {address}' | 'Ship to 1 Main St\nBerlin'
END
