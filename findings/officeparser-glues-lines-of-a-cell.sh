#!/usr/bin/env bash
# officeparser 7.8.0 and mammoth 1.13.0 (npm), which take the text out of Word files, the second with extractRawText; under loaders of many agents and
# search systems.
# Behaviour: a line break within a paragraph or a cell (Shift and Enter) is dropped with nothing in its place, so that 12 above 34 is the number 1234
# and two lines of an address are one word; officeparser drops tabs too. mammoth's HTML of the same file has the break. Both also give out text that
# Word marks as hidden.
# Seen:   cell "12", break, "34": 1234 in both / "Name", tab, "Role": NameRole in officeparser / HTML: 12<br />34
# Expected by most: a line break is a line break, or at least a space.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund officeparser@7.8.0 mammoth@1.13.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-docx==1.2.0
cat > make.py <<'PY'
import docx

document = docx.Document()
table = document.add_table(1, 2)
table.cell(0, 0).text = '12\n34'
table.cell(0, 1).text = 'next cell'
document.add_paragraph('Main Street 5\nSpringfield')
document.add_paragraph('Name\tRole')
document.add_paragraph('seen ').add_run('hidden').font.hidden = True
document.save('file.docx')
PY
env/bin/python make.py
cat > run.mjs <<'JS'
import mammoth from 'mammoth';
import * as office from 'officeparser';
const told = (text) => JSON.stringify(text.replace(/\n+/g, '\n').trim());
const parsed = await office.parseOffice('file.docx');
console.log('officeparser: ' + told(typeof parsed === 'string' ? parsed : parsed.toText()));
console.log('mammoth text: ' + told((await mammoth.extractRawText({ path: 'file.docx' })).value));
console.log('mammoth HTML: ' + told((await mammoth.convertToHtml({ path: 'file.docx' })).value));
JS
for name in officeparser mammoth; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
officeparser: "1234\nnext cell\nMain Street 5Springfield\nNameRole\nseen hidden"
mammoth text: "1234\nnext cell\nMain Street 5Springfield\nName\tRole\nseen hidden"
mammoth HTML: "<table><tr><td><p>12<br />34</p></td><td><p>next cell</p></td></tr></table><p>Main Street 5<br />Springfield</p><p>Name\tRole</p><p>seen hidden</p>"
END
