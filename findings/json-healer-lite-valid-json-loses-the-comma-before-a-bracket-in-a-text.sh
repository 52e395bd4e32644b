#!/usr/bin/env bash
# json-healer-lite 0.1.0 (PyPI), heal_json, which mends JSON that models wrote.
# Behaviour: a comma before a closing bracket is taken out of the whole text, also within quotes, and before it is tried whether the JSON is valid. So valid JSON comes back with other texts: patterns, code and remarks lose a comma,
# and the blanks behind it. No error, no sign. Python's own json reads all of these.
# Seen:   {"re": "a{2,}"}: a{2} / {"code": "f(x, [1, ])"}: f(x, [1]) / {"row": "(7, ]"}: (7]
# Expected by most: valid JSON stays as it is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-healer-lite==0.1.0
cat > run.py <<'PY'
import json
from json_healer_lite import heal_json

for text in ['{"re": "a{2,}"}', '{"code": "f(x, [1, ])"}', '{"row": "(7, ]"}', '{"note": "x,\\n}"}', '[1, 2]', '[1, 2, ]', '{"a": [1, {"b": "cut']:
    try:
        plain = json.loads(text)
    except ValueError:
        plain = 'no JSON'
    print(text, '| json:', plain, '| healed:', heal_json(text))
PY
echo "json-healer-lite $(env/bin/python -c "import importlib.metadata as m; print(m.version('json-healer-lite'))")"
env/bin/python run.py | tee out
diff out - <<'END'
{"re": "a{2,}"} | json: {'re': 'a{2,}'} | healed: {'re': 'a{2}'}
{"code": "f(x, [1, ])"} | json: {'code': 'f(x, [1, ])'} | healed: {'code': 'f(x, [1])'}
{"row": "(7, ]"} | json: {'row': '(7, ]'} | healed: {'row': '(7]'}
{"note": "x,\n}"} | json: {'note': 'x,\n}'} | healed: {'note': 'x,\n}'}
[1, 2] | json: [1, 2] | healed: [1, 2]
[1, 2, ] | json: no JSON | healed: [1, 2]
{"a": [1, {"b": "cut | json: no JSON | healed: {'a': [1, {'b': 'cut'}]}
END
