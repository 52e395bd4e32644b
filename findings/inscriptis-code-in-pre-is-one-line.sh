#!/usr/bin/env bash
# inscriptis 2.7.6 (PyPI), HTML to text that keeps the layout, used before models and in search.
# Behaviour: <pre> is kept as it stands, but only what is directly in it. In an element within, <code> above all, as nearly every page of documentation
# has it, line breaks and indents become single spaces, so that a program of many lines is one. Python's is lost for good. Numbered lists begin at 1
# whatever their start says.
# Seen:   <pre>: "a = 1\n  b = 2" / <pre><code>: "a = 1 b = 2" / <ol start="5">: 1. x, 2. y
# Expected by most: white space counts in all of <pre>, as in every browser.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check inscriptis==2.7.6
cat > run.py <<'PY'
from inscriptis import get_text

for html in ('<pre>a = 1\n  b = 2</pre>', '<pre><code>a = 1\n  b = 2</code></pre>', '<pre>a = <b>1\n  b</b> = 2</pre>', '<ol start="5"><li>x</li><li>y</li></ol>'):
    print(repr(html), repr(get_text('<body>' + html + '</body>')))
PY
env/bin/python -c "import importlib.metadata as m; print('inscriptis', m.version('inscriptis'))"
env/bin/python run.py | tee out
diff out - <<'END'
'<pre>a = 1\n  b = 2</pre>' 'a = 1\n  b = 2'
'<pre><code>a = 1\n  b = 2</code></pre>' 'a = 1 b = 2'
'<pre>a = <b>1\n  b</b> = 2</pre>' 'a = 1 b = 2'
'<ol start="5"><li>x</li><li>y</li></ol>' ' 1. x\n 2. y'
END
