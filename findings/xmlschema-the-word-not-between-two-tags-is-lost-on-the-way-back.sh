#!/usr/bin/env bash
# xmlschema 4.3.2 (PyPI): text with tags in it, to data and back, with the converters for mixed content.
# Behaviour: in the data all words are there. Written again with BadgerFish, GData or the default with cdata_prefix, the elements of one name go together and what stood between them is gone,
# without an error: of two pieces of text in a row the last is kept. The blanks beside the tags are gone in each case. JsonML keeps the order and the words.
# Seen:   Take <b>one</b> not <b>two</b> a day. -> Take<b>one</b><b>two</b>a day.
# Expected by most: the words that were in the data.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check xmlschema==4.3.2
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import xml.etree.ElementTree
import xmlschema
print('xmlschema', importlib.metadata.version('xmlschema'), file=sys.stderr)
schema = xmlschema.XMLSchema('''<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="p"><xs:complexType mixed="true">
<xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="b" type="xs:string"/><xs:element name="i" type="xs:string"/></xs:choice></xs:complexType></xs:element></xs:schema>''')
text = '<p>Take <b>one</b> not <b>two</b> a day.</p>'
for name, options in [('BadgerFish', {'converter': xmlschema.BadgerFishConverter}), ('GData', {'converter': xmlschema.GDataConverter}), ('default', {'cdata_prefix': '#'}), ('JsonML', {'converter': xmlschema.JsonMLConverter})]:
    data = schema.to_dict(text, **options)
    written = xml.etree.ElementTree.tostring(schema.encode(data, path='p', **options), encoding='unicode')
    print(f'{name}: {json.dumps(data)}')
    print('  written:', ''.join(line.strip() for line in written.splitlines()))
PY
env/bin/python run.py | tee out
diff out - <<'END'
BadgerFish: {"p": {"$1": "Take", "b": [{"$": "one"}, {"$": "two"}], "$2": "not", "$3": "a day."}}
  written: <p>Take<b>one</b><b>two</b>a day.</p>
GData: {"p": {"$1": "Take", "b": [{"$t": "one"}, {"$t": "two"}], "$2": "not", "$3": "a day."}}
  written: <p>Take<b>one</b><b>two</b>a day.</p>
default: {"#1": "Take", "b": ["one", "two"], "#2": "not", "#3": "a day."}
  written: <p>Take<b>one</b><b>two</b>a day.</p>
JsonML: ["p", "Take", ["b", "one"], "not", ["b", "two"], "a day."]
  written: <p>Take<b>one</b>not<b>two</b>a day.</p>
END
