#!/usr/bin/env bash
# html-table-parser-python3 0.3.1 (PyPI), HTMLTableParser() with its default settings.
# Behaviour: every character that is written as an entity (&lt; &amp; &minus; &eacute; &#8364;) is left out of the cell. "&lt;5 mg" is "5 mg",
# "&minus;5" is "5", "p &gt; 0.05" is "p 0.05", and the range "5&ndash;7" is "5 7".
# Seen:   5 mg / 5 / p 0.05 / AT T / caf
# Expected by most: <5 mg, -5 (with its minus sign), p > 0.05, AT&T, café.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check html-table-parser-python3==0.3.1
cat > read.py <<'PY'
import importlib.metadata
from html_table_parser import HTMLTableParser

print('html-table-parser-python3', importlib.metadata.version('html-table-parser-python3'))
page = '''<table>
<tr><th>limit</th><td>&lt;5 mg</td></tr>
<tr><th>at night</th><td>&minus;5 &deg;C</td></tr>
<tr><th>result</th><td>p &gt; 0.05</td></tr>
<tr><th>name</th><td>AT&amp;T caf&eacute;</td></tr>
<tr><th>price</th><td>&#8364; 5&ndash;7</td></tr>
</table>'''
for title, options in (('default', {}), ('decode_html_entities=True', {'decode_html_entities': True})):
    parser = HTMLTableParser(**options)
    parser.feed(page)
    print(title)
    for row in parser.tables[0]:
        print('  ', row)
PY
env/bin/python read.py | tee out
diff out - <<'END'
html-table-parser-python3 0.3.1
default
   ['limit', '5 mg']
   ['at night', '5 C']
   ['result', 'p 0.05']
   ['name', 'AT T caf']
   ['price', '5 7']
decode_html_entities=True
   ['limit', '<5 mg']
   ['at night', '−5 °C']
   ['result', 'p > 0.05']
   ['name', 'AT&T café']
   ['price', '€ 5–7']
END
