#!/usr/bin/env bash
# haystack-ai 3.4.1 (PyPI), DocumentCleaner, the usual step before splitting, default settings.
# Behaviour: "extra whitespace" is each run of two or more blanks or line breaks, and it becomes one blank. So an empty line, or the indent of the
# next line, takes the line break with it: a heading is on one line with the first row of the table behind it (which is no table then), all
# paragraphs are one line, a function is one line that no parser reads. Lines that stand close and unindented, as in a log, stay lines. Empty
# lines have an option of their own.
# Seen:   '# T\n\n| a | b |\n|---|---|': '# T | a | b |\n|---|---|' / 'def f():\n    return 1': 'def f(): return 1' / a log: as it was
# Expected by most: runs of blanks become one blank, and lines stay lines.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check haystack-ai==3.4.1
cat > run.py <<'PY'
from haystack import Document
from haystack.components.preprocessors import DocumentCleaner, DocumentSplitter

texts = {'table': '# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n', 
         'code': 'def f():\n    return  1\n\n\nprint(f())\n', 'log': '10:00 start\n10:01 disk full\n10:02 stop\n'}
for name, text in texts.items():
    cleaned = DocumentCleaner().run([Document(content=text)])['documents']
    only_lines = DocumentCleaner(remove_extra_whitespaces=False).run([Document(content=text)])['documents']
    splitter = DocumentSplitter(split_by='line', split_length=1)
    if hasattr(splitter, 'warm_up'):
        splitter.warm_up()
    pieces = [len(splitter.run(one)['documents']) for one in (cleaned, only_lines)]
    print(name + ':', repr(cleaned[0].content), 'pieces by line', pieces[0], 'without this option', pieces[1])
PY
env/bin/python -c "import importlib.metadata as m; print('haystack-ai', m.version('haystack-ai'))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
table: '# T | a | b |\n|---|---|\n| 1 | 2 |' pieces by line 3 without this option 4
code: 'def f(): return 1 print(f())' pieces by line 1 without this option 3
log: '10:00 start\n10:01 disk full\n10:02 stop' pieces by line 3 without this option 3
END
