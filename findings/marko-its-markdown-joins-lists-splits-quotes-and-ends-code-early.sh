#!/usr/bin/env bash
# marko 2.2.4 (PyPI), MarkdownRenderer: Markdown is read and written as Markdown again.
# Behaviour: the signs of a numbered list are always written as "1.", so that a list with "1)" and one with "5." behind it become one list, and its
# step 5 is step 3. Code that holds a backtick is written within single ones and ends early. A quotation with a list in it becomes two
# quotations. Lists with - and * are kept apart.
# Seen:   "5. restart" is the third item / <code>a</code>b` / two <blockquote>
# Expected by most: other signs perhaps, but the same lists, code and quotations.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check marko==2.2.4
cat > write.py <<'PY'
import importlib.metadata
import marko
from marko.md_renderer import MarkdownRenderer

print('marko', importlib.metadata.version('marko'))
writer = marko.Markdown(renderer=MarkdownRenderer)
samples = {
    'numbered lists': '1) stop\n2) wait\n\n5. restart\n6. test\n',
    'lists with other signs': '- apples\n- pears\n\n* rice\n',
    'code with a backtick': 'Type `` a`b `` now.\n',
    'quotation with a list': '> Bring\n>\n> - tea\n',
}
for name, text in samples.items():
    written = writer(text)
    before, after = marko.convert(text), marko.convert(written)
    print('--', name, '| same HTML:', before == after)
    print(written.rstrip())
    print(after.replace('\n', ''))
PY
env/bin/python write.py | tee out
diff out - <<'END'
marko 2.2.4
-- numbered lists | same HTML: False
1. stop
2. wait

5. restart
6. test
<ol><li><p>stop</p></li><li><p>wait</p></li><li><p>restart</p></li><li><p>test</p></li></ol>
-- lists with other signs | same HTML: True
- apples
- pears

* rice
<ul><li>apples</li><li>pears</li></ul><ul><li>rice</li></ul>
-- code with a backtick | same HTML: False
Type `a`b` now.
<p>Type <code>a</code>b` now.</p>
-- quotation with a list | same HTML: False
> Bring

> - tea
<blockquote><p>Bring</p></blockquote><blockquote><ul><li>tea</li></ul></blockquote>
END
