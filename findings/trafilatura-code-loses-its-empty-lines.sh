#!/usr/bin/env bash
# trafilatura 2.3.1 with lxml-html-clean 0.4.3 (PyPI), which takes the text out of web pages for corpora and agents, as text and as Markdown.
# Behaviour: empty lines in a code block are dropped, so that a diff, a log or a text of several paragraphs in <pre> is another one; indentation stays. Code within
# a step of a list begins in the line of its sentence, so that its fence is none. A numbered list that goes on at 5 begins at 1 in Markdown and has dashes in the text, where a power
# is glued to its base as well (10<sup>6</sup> is 106). A tab that is not shown is in the text.
# Seen:   pre "a\n\n    b": a, "    b" / li with pre: "folder: ```" / start=5: 1., 2. / 10<sup>6</sup>: 106 in the text
# Expected by most: a code block is kept as it is, and steps keep their numbers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check trafilatura==2.3.1 lxml-html-clean==0.4.3
cat > run.py <<'PY'
import importlib.metadata
import trafilatura

print('trafilatura', importlib.metadata.version('trafilatura'))


def prose(word):
    return f'<p>The tool runs on every machine and reads its settings from a file {word}, which is described below in some detail for all readers.</p>'


for part in [
    '<pre><code>a\n\n    b\n\n\nc</code></pre>',
    '<ul><li><p>Run these two commands in the folder:</p><pre><code>make x\nmake y</code></pre></li></ul>',
    '<ol start="5"><li>Stop the server that is running.</li><li>Start it once more, please.</li></ol>',
    '<p>There are 10<sup>6</sup> rows in it.</p>',
    '<div hidden><p>The tab that is not shown.</p></div>',
]:
    page = f'<html><body><main><article><h1>Guide</h1>{prose("one")}{prose("two")}{part}{prose("three")}{prose("four")}</article></main></body></html>'
    print(repr(part))
    for form in ('txt', 'markdown'):
        text = trafilatura.extract(page, output_format=form)
        between = text[text.index('file two'):text.rindex('The tool runs on every machine and reads its settings from a file three')]
        print(f'    {form}: {between.partition(chr(10))[2].strip()!r}')
PY
env/bin/python run.py | tee all
tail -n +2 all > out
diff out - <<'END'
'<pre><code>a\n\n    b\n\n\nc</code></pre>'
    txt: 'a\n    b\nc'
    markdown: '```\na\n    b\nc\n```'
'<ul><li><p>Run these two commands in the folder:</p><pre><code>make x\nmake y</code></pre></li></ul>'
    txt: '- Run these two commands in the folder: make x\nmake y'
    markdown: '- Run these two commands in the folder: ```\nmake x\nmake y\n```'
'<ol start="5"><li>Stop the server that is running.</li><li>Start it once more, please.</li></ol>'
    txt: '- Stop the server that is running.\n- Start it once more, please.'
    markdown: '1. Stop the server that is running.\n2. Start it once more, please.'
'<p>There are 10<sup>6</sup> rows in it.</p>'
    txt: 'There are 106 rows in it.'
    markdown: 'There are 10<sup>6</sup> rows in it.'
'<div hidden><p>The tab that is not shown.</p></div>'
    txt: 'The tab that is not shown.'
    markdown: 'The tab that is not shown.'
END
