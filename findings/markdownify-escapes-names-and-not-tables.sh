#!/usr/bin/env bash
# markdownify 1.2.3 (PyPI), which the reference fetch server of MCP and many Python agents make Markdown with, default settings.
# Behaviour: names get backslashes (snake\_case\_name), so what a model copies from the text is not the name of the page. What would really change the
# reading is left as it is: a | in a cell makes one cell more than the header has, text that begins with # or 1. becomes a heading or a list.
# A table without <th> gets an empty header, and its own first row is data.
# Seen:   name: snake\_case\_name / cell: | 1 | 2|3 | / text: # not a heading / table: |  |  | first
# Expected by most: the escapes go where Markdown has a sign of its own.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check markdownify==1.2.3
cat > run.py <<'PY'
import importlib.metadata
import json
from markdownify import markdownify

print('markdownify', importlib.metadata.version('markdownify'))
tried = {
    'name': '<p>snake_case_name</p>',
    'cell': '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table>',
    'text': '<p># not a heading</p><p>1. not a list</p>',
    'table': '<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>',
}
for name, html in tried.items():
    print(name + ': ' + json.dumps(markdownify(html).strip()))
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(cat <<'END'
name: "snake\\_case\\_name"
cell: "| a | b |\n| --- | --- |\n| 1 | 2|3 |"
text: "# not a heading\n\n1. not a list"
table: "|  |  |\n| --- | --- |\n| a | b |\n| 1 | 2 |"
END
)
