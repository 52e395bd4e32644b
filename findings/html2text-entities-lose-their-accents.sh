#!/usr/bin/env bash
# html2text 2025.4.15 (PyPI), the HTML to Markdown converter of many Python tools, html2text.html2text(page) as it is.
# Behaviour: letters that the page writes as entities or by number lose their accents, and the same letters written as such keep them. So one name comes
# out in two ways, by how the page's editor saved it, and a search for it finds one of them. Typographic quotes and dashes, arrows and the
# copyright sign become ASCII in the same way. A cell with | in it makes a column more, as it is not escaped.
# Seen:   Jos&eacute; M&uuml;ller: Jose Muller / José Müller: José Müller / &copy; &rarr;: (C) -> / cell 1|2: 1|2| 3 above two columns
# Expected by most: an entity is the character that it stands for.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check html2text==2025.4.15
cat > run.py <<'PY'
import html2text

for html in ('Jos&eacute; M&uuml;ller', 'José Müller', 'Jos&#233; M&#xfc;ller', '&copy; &rarr; &ndash; &rsquo;', '© → – ’', '&szlig; &micro;'):
    print(html + ': ' + html2text.html2text(html).strip())
print(repr(html2text.html2text('<table><tr><td>1|2</td><td>3</td></tr></table>').strip()))
PY
env/bin/python -c "import html2text; print('html2text', '.'.join(map(str, html2text.__version__)))"
env/bin/python run.py | tee out
diff out - <<'END'
Jos&eacute; M&uuml;ller: Jose Muller
José Müller: José Müller
Jos&#233; M&#xfc;ller: Jose Muller
&copy; &rarr; &ndash; &rsquo;: (C) -> - '
© → – ’: © → – ’
&szlig; &micro;: ß µ
'1|2| 3  \n---|---'
END
