#!/usr/bin/env bash
# langchain-core 1.8.3 (PyPI): what becomes of the value that a tool (@tool) returns when it is put into the message for the model.
# Behaviour: a list of records whose "type" is a word such as file, text or image is taken for content of a message and sent as it is, though the records are the
# tool's own: a listing of two files is content blocks, a listing with a folder in it is JSON. A list of texts is content, one of numbers is JSON. One
# date or set anywhere within makes all of it Python's notation instead of JSON, without a word. An empty list is content that is empty.
# Seen:   [file, file]: blocks / [file, folder]: JSON / ["a", "b"]: as it is / [1, 2]: "[1, 2]" / {"d": date}: "{'d': datetime.date(2026, 1, 2)}"
# Expected by most: a tool's value is JSON, or an error where it can not be.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-core==1.8.3
cat > run.py <<'PY'
import datetime
from langchain_core.tools import tool

values = {
    'two files': [{'type': 'file', 'name': 'a'}, {'type': 'file', 'name': 'b'}], 'file and folder': [{'type': 'file', 'name': 'a'}, {'type': 'folder', 'name': 'b'}],
    'texts': ['a', 'b'], 'numbers': [1, 2], 'nothing': [], 'with a date': {'d': datetime.date(2026, 1, 2), 'name': 'é', 'ok': True}, 'without': {'d': '2026-01-02', 'ok': True},
}


@tool
def answer(name: str):
    """Answers."""
    return values[name]


for name in values:
    print(name + ':', repr(answer.invoke({'type': 'tool_call', 'id': '1', 'name': 'answer', 'args': {'name': name}}).content))
PY
env/bin/python -c "import importlib.metadata as m; print('langchain-core', m.version('langchain-core'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
two files: [{'type': 'file', 'name': 'a'}, {'type': 'file', 'name': 'b'}]
file and folder: '[{"type": "file", "name": "a"}, {"type": "folder", "name": "b"}]'
texts: ['a', 'b']
numbers: '[1, 2]'
nothing: []
with a date: "{'d': datetime.date(2026, 1, 2), 'name': 'é', 'ok': True}"
without: '{"d": "2026-01-02", "ok": true}'
END
