#!/usr/bin/env bash
# haystack-ai 3.4.1 with pandas 3.1.1 (PyPI), CSVDocumentCleaner and CSVDocumentSplitter, which tidy and divide sheets.
# Behaviour: cells that say NA, N/A, None, null or nan are taken for empty. They are written back empty, and a row or a column of them counts as
# an empty one: the cleaner removes the row "NA,null" (a result of two words), and the splitter divides a table there. The country code NA is
# gone.
# Seen:   country,state NA,null: the row is gone / DE,NA: "DE," / two rows "NA,None" within a table: two tables, without these rows
# Expected by most: only cells with nothing in them are empty.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check haystack-ai==3.4.1 pandas==3.1.1
cat > run.py <<'PY'
from haystack import Document
from haystack.components.preprocessors import CSVDocumentCleaner, CSVDocumentSplitter

for text in ['country,state\nDE,NA\nNA,null\nFR,ok\n', 'id,result,note\n1,None,a\n2,null,b\n', 'id,code\n007,n/a\n1.10,nan\n']:
    print('cleaner', repr(text), repr(CSVDocumentCleaner().run([Document(content=text)])['documents'][0].content))
for text in ['a,b\n1,2\nNA,None\nNA,null\n3,4\n', 'a,b\n1,2\nx,y\nx,y\n3,4\n']:
    print('splitter', repr(text), [document.content for document in CSVDocumentSplitter().run([Document(content=text)])['documents']])
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('haystack-ai', 'pandas')))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
cleaner 'country,state\nDE,NA\nNA,null\nFR,ok\n' 'country,state\nDE,\nFR,ok\n'
cleaner 'id,result,note\n1,None,a\n2,null,b\n' 'id,result,note\n1,,a\n2,,b\n'
cleaner 'id,code\n007,n/a\n1.10,nan\n' 'id,code\n007,\n1.10,\n'
splitter 'a,b\n1,2\nNA,None\nNA,null\n3,4\n' ['a,b\n1,2\n', '3,4\n']
splitter 'a,b\n1,2\nx,y\nx,y\n3,4\n' ['a,b\n1,2\nx,y\nx,y\n3,4\n']
END
