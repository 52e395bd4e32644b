#!/usr/bin/env bash
# pymarc 5.4.0 (PyPI): a record of MARC is written as text (str(record), the form of MARCMaker) and read again with its own MARCMakerReader.
# Behaviour: a dollar sign within a text is written as it is; it is the sign that begins a subfield. "Sold for $5 a piece" is read as the text "Sold for " and a subfield 5 " a piece". The form has {dollar} for that; the
# writer does not write it and the reader does not turn it back. An indicator that is a blank is written as a backslash and read as a backslash, so it is another value. In ISO 2709 and JSON all stays as it was.
# Seen:   a "Sold for $5 a piece": a "Sold for ", 5 " a piece" / indicators " 0": "\0"
# Expected by most: the same record.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pymarc==5.4.0
cat > run.py <<'PY'
import importlib.metadata
import pymarc

print('pymarc', importlib.metadata.version('pymarc'))
record = pymarc.Record()
record.add_field(pymarc.Field('001', data='5'))
record.add_field(pymarc.Field('245', ['1', '0'], [pymarc.Subfield('a', 'Sold for $5 a piece :'), pymarc.Subfield('b', 'a history')]))
record.add_field(pymarc.Field('650', [' ', '0'], [pymarc.Subfield('a', 'Trade')]))
text = str(record)
print(text.strip())


def show(name, one):
    for field in one.get_fields('245', '650'):
        print(f"{name} {field.tag}: indicators {''.join(field.indicators)!r}, {[(part.code, part.value) for part in field.subfields]}")


show('before', record)
show('text', next(iter(pymarc.MARCMakerReader(text))))
show('text with {dollar}', next(iter(pymarc.MARCMakerReader(text.replace('$5', '{dollar}5')))))
show('ISO 2709', next(iter(pymarc.MARCReader(record.as_marc()))))
show('JSON', next(iter(pymarc.JSONReader(record.as_json()))))
PY
env/bin/python run.py | tee out
diff out - <<'END'
pymarc 5.4.0
=LDR            22        4500
=001  5
=245  10$aSold for $5 a piece :$ba history
=650  \0$aTrade
before 245: indicators '10', [('a', 'Sold for $5 a piece :'), ('b', 'a history')]
before 650: indicators ' 0', [('a', 'Trade')]
text 245: indicators '10', [('a', 'Sold for '), ('5', ' a piece :'), ('b', 'a history')]
text 650: indicators '\\0', [('a', 'Trade')]
text with {dollar} 245: indicators '10', [('a', 'Sold for {dollar}5 a piece :'), ('b', 'a history')]
text with {dollar} 650: indicators '\\0', [('a', 'Trade')]
ISO 2709 245: indicators '10', [('a', 'Sold for $5 a piece :'), ('b', 'a history')]
ISO 2709 650: indicators ' 0', [('a', 'Trade')]
JSON 245: indicators '10', [('a', 'Sold for $5 a piece :'), ('b', 'a history')]
JSON 650: indicators ' 0', [('a', 'Trade')]
END
