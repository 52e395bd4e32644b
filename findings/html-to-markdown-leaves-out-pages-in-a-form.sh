#!/usr/bin/env bash
# html-to-markdown 3.21.2 (PyPI), a converter in Rust for pages that models read, default settings.
# Behaviour: all that stands in a form is left out, and many older sites (ASP.NET) hold their whole page in one: nothing is left. An inline icon (SVG) becomes a
# picture with all of its source as base64. A power loses its sign: 10<sup>6</sup> is 106. Characters of Markdown are left as they are within a line, so that
# List&lt;String&gt; and a*b*c read otherwise in a viewer, though those at its start are escaped. A list that begins at 3 by its item begins at 1.
# Seen:   a page in a form: "" / an icon: ![](data:image/svg+xml;base64,...) / 10<sup>6</sup>: 106 / List&lt;String&gt;: List<String>
# Expected by most: fields of a form go and its text stays; pictures without a text are left out; 10^6 or <sup>.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check html-to-markdown==3.21.2
cat > run.py <<'PY'
import importlib.metadata
import html_to_markdown

print('html-to-markdown', importlib.metadata.version('html-to-markdown'))
for page in [
    '<body><form id="aspnetForm"><h1>Prices</h1><p>A ticket is 5 euros.</p></form></body>',
    '<body><div><h1>Prices</h1><p>A ticket is 5 euros.</p></div></body>',
    '<p><svg viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg> Save</p>',
    '<p>10<sup>6</sup> rows, H<sub>2</sub>O, note<sup>1</sup></p>',
    '<p>List&lt;String&gt;</p>',
    '<p>a*b*c</p>',
    '<p># no heading</p>',
    '<ol><li value="3">third</li></ol>',
    '<ol start="3"><li>third</li></ol>',
]:
    print(page + ': ' + repr(html_to_markdown.convert(page).content))
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
<body><form id="aspnetForm"><h1>Prices</h1><p>A ticket is 5 euros.</p></form></body>: ''
<body><div><h1>Prices</h1><p>A ticket is 5 euros.</p></div></body>: '# Prices\n\nA ticket is 5 euros.\n'
<p><svg viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg> Save</p>: '![](data:image/svg+xml;base64,PHN2ZyB2aWV3Qm94PSIwIDAgOCA4Ij48cGF0aCBkPSJNMCAwaDh2OHoiIC8+PC9zdmc+) Save\n'
<p>10<sup>6</sup> rows, H<sub>2</sub>O, note<sup>1</sup></p>: '106 rows, H2O, note1\n'
<p>List&lt;String&gt;</p>: 'List<String>\n'
<p>a*b*c</p>: 'a*b*c\n'
<p># no heading</p>: '\\# no heading\n'
<ol><li value="3">third</li></ol>: '1. third\n'
<ol start="3"><li>third</li></ol>: '3. third\n'
END
