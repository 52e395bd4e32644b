#!/usr/bin/env bash
# llama-index-core 0.14.25 (PyPI), JSONNodeParser, default settings: JSON as pieces for retrieval.
# Behaviour: JSON of one record a line gives no pieces and no error, and so does any text that is not JSON. Elsewhere each value becomes a line of
# its path and itself, and the path knows neither positions nor where a name ends: the records of a list within an object run into one, {"a b": 1}
# and {"a": {"b": 1}} are the same line, empty lists and objects are gone, and null, true and 1.10 are None, True and 1.1.
# Seen:   {"id":1}\n{"id":2}: [] / {"items":[{"id":1,"n":"x"},{"id":2,"tags":[]}]}: items id 1, items n x, items id 2
# Expected by most: an error for what can not be read, and records that can be told apart.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llama-index-core==0.14.25
cat > run.py <<'PY'
from llama_index.core import Document
from llama_index.core.node_parser import JSONNodeParser

for text in ['{"id":1}\n{"id":2}\n', '[{"id":1},{"id":2}]', '{"items":[{"id":1,"n":"x"},{"id":2,"tags":[]}],"next":null}', '{"a b":1,"a":{"b":1}}',
             '{"done":true,"price":1.10}', 'no JSON']:
    print(repr(text), [node.text for node in JSONNodeParser().get_nodes_from_documents([Document(text=text)])])
PY
env/bin/python -c "import importlib.metadata as m; print('llama-index-core', m.version('llama-index-core'))"
env/bin/python run.py 2> log | tee out
diff out - <<'END'
'{"id":1}\n{"id":2}\n' []
'[{"id":1},{"id":2}]' ['id 1', 'id 2']
'{"items":[{"id":1,"n":"x"},{"id":2,"tags":[]}],"next":null}' ['items id 1\nitems n x\nitems id 2\nnext None']
'{"a b":1,"a":{"b":1}}' ['a b 1\na b 1']
'{"done":true,"price":1.10}' ['done True\nprice 1.1']
'no JSON' []
END
