#!/usr/bin/env bash
# langchain-text-splitters 1.1.3 (PyPI, with langchain-core 1.8.3), by which documents are cut before search.
# Behaviour: MarkdownHeaderTextSplitter strips each line, also within a fence: Python loses its indents, and so do nested lists. Two spaces and a line break are put
# where a blank line was. A fence of four backticks ends at three within it, and a comment behind that is a header. RecursiveJsonSplitter does not cut
# a list, whatever the size asked for, and with convert_lists lists come out as objects with the keys 0, 1 and so on.
# Seen:   "def f():\nreturn 1" / "- a\n- b" for a list within a list / # inner as h1 / a list of ten records in chunks of 50: one of 280 / []: {}
# Expected by most: what is cut is the same text in pieces, and pieces are near the size.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-text-splitters==1.1.3 langchain-core==1.8.3
cat > run.py <<'PY'
import json
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveJsonSplitter

splitter = MarkdownHeaderTextSplitter([('#', 'h1'), ('##', 'h2')])
for text in ('# A\n\n```py\ndef f():\n    return 1\n```\n', '# A\n\n- a\n  - b\n\ntext\n', '# A\n\n````md\n```\n# inner\n```\n````\n'):
    print(json.dumps([(part.page_content, part.metadata) for part in splitter.split_text(text)]))
records = {'rows': [{'id': number, 'name': 'item'} for number in range(10)]}
print([len(json.dumps(part)) for part in RecursiveJsonSplitter(max_chunk_size=50).split_json(records)])
print(RecursiveJsonSplitter(max_chunk_size=50).split_json({'rows': [], 'n': [1]}, convert_lists=True))
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('langchain-text-splitters', 'langchain-core')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
[["```py\ndef f():\nreturn 1\n```", {"h1": "A"}]]
[["- a\n- b  \ntext", {"h1": "A"}]]
[["````md\n```", {"h1": "A"}], ["```\n````", {"h1": "inner"}]]
[280]
[{'rows': {}, 'n': {'0': 1}}]
END
