#!/usr/bin/env bash
# docx2txt 0.9 and docx2python 3.7.1 (PyPI), which take the text out of Word files for search and for models; a file with tracked changes, made with python-docx 1.2.0 (PyPI) and what Word writes for a move.
# Behaviour: text that was deleted with tracking on is left out, and what was inserted is there, so the text looks like the accepted version. But of a sentence that was moved both places are given, the old one too:
# it stands twice, and nothing says which is the true place. Text that its author has hidden is given as any other.
# Seen:   first, second, third; the first moved to the end: first second third first / hidden "internal: margin 40 %": there
# Expected by most: each sentence once, at its new place, as Word shows it after "accept all".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check docx2txt==0.9 docx2python==3.7.1 python-docx==1.2.0
cat > run.py <<'PY'
import zipfile
import docx
import docx2txt
from docx2python import docx2python

def run(text, kind='t', look=''):
    return f'<w:r><w:rPr>{look}</w:rPr><w:{kind} xml:space="preserve">{text}</w:{kind}></w:r>'

def change(name, inner, number):
    return f'<w:{name} w:id="{number}" w:author="Ann" w:date="2026-11-03T00:00:00Z">{inner}</w:{name}>'

CASES = {
    'moved': change('moveFrom', run('First. '), 1) + run('Second. ') + run('Third. ') + change('moveTo', run('First. '), 2),
    'deleted and inserted': change('del', run('Old. ', 'delText'), 3) + run('Second. ') + change('ins', run('New. '), 4),
    'hidden': run('Price 10. ') + run('internal: margin 40 %. ', look='<w:vanish/>'),
}
for name, inner in CASES.items():
    document = docx.Document()
    document.add_paragraph('MARK')
    document.save('plain.docx')
    with zipfile.ZipFile('plain.docx') as old, zipfile.ZipFile('file.docx', 'w') as new:
        for part in old.namelist():
            data = old.read(part)
            if part == 'word/document.xml':
                data = data.replace(b'<w:r><w:t>MARK</w:t></w:r>', inner.encode())
            new.writestr(part, data)
    print(f'{name}: docx2txt {docx2txt.process("file.docx").strip()!r}, docx2python {docx2python("file.docx").text.strip()!r}')
PY
env/bin/python -c "import importlib.metadata as m; print('docx2txt', m.version('docx2txt'), 'docx2python', m.version('docx2python'))"
env/bin/python run.py | tee out
diff out - <<'END'
moved: docx2txt 'First. Second. Third. First.', docx2python 'First. Second. Third. First.'
deleted and inserted: docx2txt 'Second. New.', docx2python 'Second. New.'
hidden: docx2txt 'Price 10. internal: margin 40 %.', docx2python 'Price 10. internal: margin 40 %.'
END
