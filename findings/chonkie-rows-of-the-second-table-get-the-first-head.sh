#!/usr/bin/env bash
# chonkie 1.7.0 (PyPI), TableChunker: tables of Markdown and HTML in pieces that repeat the head of the table.
# Behaviour: the head is what the first lines are, wherever the table begins. With a line of text before it, the text and the names are repeated,
# and the line of dashes counts as a row: all pieces but the first are no tables. A second table is taken for rows of the first, so that its
# figures stand under the first one's names. In HTML without <thead> the names are a row, in one piece alone, and the text behind the table is
# lost. Start positions are not those of the text.
# Seen:   two tables: "| a | b |, |---|---|, |---|, | 9 |" / "Prices:" before: second piece without dashes / <p>EUR</p> behind: lost / first
# start: 20
# Expected by most: each piece is a table with the names of its own.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check chonkie==1.7.0
cat > run.py <<'PY'
from chonkie import TableChunker

table = '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n'
texts = {
    'one table': table,
    'text around it': 'Prices:\n\n' + table + '\nAll in EUR.\n',
    'two tables': table + '\n| x |\n|---|\n| 9 |\n',
    'HTML': '<p>Prices</p><table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table><p>EUR</p>',
}
for name, text in texts.items():
    for chunk in TableChunker(tokenizer='row', chunk_size=2).chunk(text):
        print(name, chunk.start_index, repr(chunk.text))
PY
env/bin/python -c "import importlib.metadata as m; print('chonkie', m.version('chonkie'))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
one table 20 '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n'
one table 40 '| a | b |\n|---|---|\n| 5 | 6 |'
text around it 19 'Prices:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
text around it 39 'Prices:\n\n| a | b |\n| 3 | 4 |\n| 5 | 6 |\n\nAll in EUR.'
two tables 20 '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n'
two tables 40 '| a | b |\n|---|---|\n| 5 | 6 |\n\n| x |\n'
two tables 57 '| a | b |\n|---|---|\n|---|\n| 9 |'
HTML 20 '<p>Prices</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table>'
HTML 58 '<p>Prices</p><table><tr><td>2</td></tr></table>'
END
