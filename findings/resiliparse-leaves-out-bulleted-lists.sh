#!/usr/bin/env bash
# resiliparse 2.0.1 (PyPI), text of web pages for corpora and for models, extract_plain_text with main_content=True.
# Behaviour: a bulleted list in the middle of an article is left out, long sentences in it or short; a numbered one and a list of terms stay. A heading or a table
# of the class "nav", a <time> and an <aside> are left out too. Without main_content all of it is there. So a page's steps or options may be missing in a
# text that looks whole.
# Seen:   ul: left out / ol: "1. ..." / dl: kept / h2 class="nav", time, aside: left out / without main_content: all kept
# Expected by most: menus are lists of links outside the article, and what is within it is kept.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check resiliparse==2.0.1
cat > run.py <<'PY'
from resiliparse.extract.html2text import extract_plain_text

around = '<p>' + 'This paragraph tells enough about the function that it is main content. ' * 4 + '</p>'
parts = {
    'ul': '<ul><li>MARK Install the package first, and then start the server by its name.</li><li>Restart the host, so that it reads its configuration.</li></ul>',
    'ol': '<ol><li>MARK Install the package first.</li><li>Restart the host.</li></ol>', 'dl': '<dl><dt>MARK</dt><dd>a term</dd></dl>', 'p': '<p>MARK</p>',
    'h2 nav': '<h2 class="nav">MARK</h2>', 'time': '<time>MARK</time>', 'aside': '<aside><p>MARK</p></aside>',
}
for name, part in parts.items():
    page = '<html><body><article><h1>Title</h1>' + around + part + around + '</article></body></html>'
    print(name + ': main_content', 'MARK' in extract_plain_text(page, main_content=True), 'all', 'MARK' in extract_plain_text(page))
PY
env/bin/python -c "import importlib.metadata as m; print('resiliparse', m.version('resiliparse'))"
env/bin/python run.py | tee out
diff out - <<'END'
ul: main_content False all True
ol: main_content True all True
dl: main_content True all True
p: main_content True all True
h2 nav: main_content False all True
time: main_content False all True
aside: main_content False all True
END
