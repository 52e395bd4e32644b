#!/usr/bin/env bash
# docx2txt 0.9 (PyPI, under the Word loaders of LangChain and LlamaIndex), docx2python 3.7.1 and docx2md 1.0.5 (PyPI), word-extractor 1.0.4 (npm); python-docx 1.2.0 and mammoth 1.13.0 (PyPI) read the
# same file. The file is one that python-docx makes, with Word's non-breaking hyphen, which Word writes as an element of its own.
# Behaviour: authors put that hyphen where a line must not break: before a negative number, in ranges, part numbers and phone numbers. The four readers leave it out, without anything in its place: -5 is
# 5, 10-20 is 1020, and the part A-100 is A100. A symbol that was put in from a symbol font (the degree sign here) is dropped by docx2txt, docx2md, word-extractor and python-docx, and is HTML in docx2python.
# Seen:   margin -5 %: "margin 5 %" / pages 10-20: "pages 1020" / A-100: "A100"; python-docx "-5", mammoth the hyphen as a character
# Most would guess: a hyphen, or at least a blank.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund word-extractor@1.0.4
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check docx2txt==0.9 docx2python==3.7.1 docx2md==1.0.5 python-docx==1.2.0 mammoth==1.13.0
cat > make.py <<'PY'
import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

document = docx.Document()
for before, after in (('margin ', '5 %'), ('pages 10', '20'), ('part A', '100')):
    document.add_paragraph()._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:t xml:space="preserve">{before}</w:t><w:noBreakHyphen/><w:t>{after}</w:t></w:r>'))
document.add_paragraph()._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:t xml:space="preserve">at 20 </w:t><w:sym w:font="Symbol" w:char="F0B0"/><w:t>C</w:t></w:r>'))
document.save('x.docx')
PY
cat > run.py <<'PY'
import contextlib
import io

import docx
import docx2md
import docx2python
import docx2txt
import mammoth

with contextlib.redirect_stdout(io.StringIO()):
    markdown = docx2md.do_convert('x.docx', 'media')
for name, text in {
    'docx2txt': docx2txt.process('x.docx'),
    'docx2python': docx2python.docx2python('x.docx').text,
    'docx2md': markdown,
    'mammoth': mammoth.extract_raw_text(open('x.docx', 'rb')).value,
    'python-docx': '\n'.join(paragraph.text for paragraph in docx.Document('x.docx').paragraphs),
}.items():
    print(f'{name}: {ascii(" / ".join(text.split(chr(10))).replace(" /  / ", " / ").strip(" /"))}')
PY
cat > run.cjs <<'JS'
const Extractor = require('word-extractor');
new Extractor().extract('x.docx').then((document) => console.log('word-extractor: ' + document.getBody().trim().split('\n').join(' / ')));
JS
env/bin/python make.py
env/bin/python -c "import importlib.metadata as m; print(*(name + ' ' + m.version(name) for name in ('docx2txt', 'docx2python', 'docx2md', 'python-docx', 'mammoth')))"
{ env/bin/python run.py; node run.cjs; } | tee out
diff out - <<'END'
docx2txt: 'margin 5 % / pages 1020 / part A100 / at 20 C'
docx2python: 'margin 5 % / pages 1020 / part A100 / at 20 <span style=font-family:Symbol>&#x00B0;</span>C'
docx2md: 'margin 5 % / pages 1020 / part A100 / at 20 C'
mammoth: 'margin \u20115 % / pages 10\u201120 / part A\u2011100 / at 20 \xb0C'
python-docx: 'margin -5 % / pages 10-20 / part A-100 / at 20 C'
word-extractor: margin 5 % / pages 1020 / part A100 / at 20 C
END
