#!/usr/bin/env bash
# llama-index-core 0.14.25 (PyPI) with beautifulsoup4, HTMLNodeParser, default settings: pages as pieces for retrieval.
# Behaviour: a bold, italic or underlined word is taken out of its sentence and becomes a piece of its own behind it. "Do <b>not</b> restart." is
# "Do\nrestart." and "not". What stands in a table, a div, a pre or a link outside a paragraph is left out without a word: a page of divs gives
# nothing at all. Bulleted and numbered lists that follow each other are one list.
# Seen:   <p>Do <b>not</b> restart.</p>: 'Do\nrestart.', 'not' / table, pre, div: left out / <ul>a</ul><ol>b</ol>: 'a\nb'
# Expected by most: sentences stay whole, and the text of the page is in the pieces.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llama-index-core==0.14.25 beautifulsoup4==4.15.0
cat > run.py <<'PY'
from llama_index.core import Document
from llama_index.core.node_parser import HTMLNodeParser

pages = ['<p>Do <b>not</b> restart.</p>', '<p>Set <i>limit</i> to 5, <u>then</u> stop.</p>',
         '<table><tr><th>port</th></tr><tr><td>443</td></tr></table><p>x</p>',
         '<pre>npm install</pre><p>x</p>', '<div>Only divs here, and a <a href="u">link</a>.</div>', '<ul><li>a</li></ul><ol><li>b</li></ol>']
for page in pages:
    nodes = HTMLNodeParser().get_nodes_from_documents([Document(text='<html><body>' + page + '</body></html>')])
    print(page, [node.text for node in nodes])
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('llama-index-core', 'beautifulsoup4')))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
<p>Do <b>not</b> restart.</p> ['Do\nrestart.', 'not']
<p>Set <i>limit</i> to 5, <u>then</u> stop.</p> ['Set\nto 5,\nstop.', 'limit', 'then']
<table><tr><th>port</th></tr><tr><td>443</td></tr></table><p>x</p> ['x']
<pre>npm install</pre><p>x</p> ['x']
<div>Only divs here, and a <a href="u">link</a>.</div> []
<ul><li>a</li></ul><ol><li>b</li></ol> ['a\nb']
END
