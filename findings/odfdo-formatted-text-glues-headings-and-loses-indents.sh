#!/usr/bin/env bash
# odfdo 3.27.3 (PyPI), documents of OpenDocument: get_formatted_text(), the whole document as text, against to_markdown() and the text of each paragraph.
# Behaviour: a heading has no line break behind it, so it is glued to the paragraph below. Spaces that the format writes as an element (<text:s/>, as it does for
# the second and each further space and for those at the start) are left out: the indent of code is gone, in Markdown too. Paragraphs taken one by one have them.
# Seen:   "Results" and "10 items": "Results10 items" / "    return x": "return x", as a paragraph "    return x" / to_markdown: "# Results", "10 items", "return x"
# Expected by most: a heading on its own line, and the indent.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check odfdo==3.27.3
cat > run.py <<'PY'
import importlib.metadata
from odfdo import Document, Header, Paragraph

print('odfdo', importlib.metadata.version('odfdo'))
document = Document('text')
document.body.clear()
document.body.append(Header(1, 'Results'))
document.body.append(Paragraph('10 items'))
document.body.append(Header(2, 'Costs'))
document.body.append(Paragraph('a  b\tc'))
document.body.append(Paragraph('if x:'))
document.body.append(Paragraph('    return x'))
document.save('file.odt')
read = Document('file.odt')
print(read.body.paragraphs[-1].serialize())
print('get_formatted_text:', repr(read.get_formatted_text()))
print('to_markdown:', repr(read.to_markdown()))
print('paragraphs:', [str(paragraph) for paragraph in read.body.paragraphs])
PY
env/bin/python run.py | tee out
diff out - <<'END'
odfdo 3.27.3
<text:p><text:s text:c="4"/>return x</text:p>
get_formatted_text: 'Results10 items\n\nCostsa b\tc\n\nif x:\n\nreturn x\n\n'
to_markdown: '# Results\n\n10 items\n\n## Costs\n\na  b    c\n\nif x:\n\nreturn x\n'
paragraphs: ['10 items\n', 'a  b\tc\n', 'if x:\n', '    return x\n']
END
