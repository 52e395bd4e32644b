#!/usr/bin/env bash
# json-toon 1.0.2 (PyPI), beside toon-format 1.2.0 (PyPI, the official Python implementation): "Convert Python data to TOON".
# Behaviour: what it writes is another notation of its own under that name. Lists have no length and rows stand between bars, so that the official reader refuses them; what the official one writes it reads
# without an error, as other data: the head rows[2]{id,name} is the NAME of the member, and the rows are one flat list. Its own round trip changes what is ordinary: of a text of two lines the first is
# left, null in a list of rows is the text None, an empty text is an empty object, "007" is 7, a cell with a bar in it loses its end, and a list at the top is an empty object.
# Seen:   {"log": "line 1<newline>line 2"}: {"log": "line 1"} / null: "None" / "": {} / "007": 7 / [1, 2]: {} / rows[2]{id,name}: {"rows[2]{id,name}": [1, "a", 2, "b"]}
# Most would guess: the TOON of the specification, and the data back.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-toon==1.0.2 toon-format==1.2.0
cat > run.py <<'PY'
import json
import json_toon
import toon_format

rows = [{'id': 1, 'name': 'a'}, {'id': 2, 'name': 'b'}]
for value in ({'log': 'line 1\nline 2'}, {'rows': [{'id': 1, 'name': None}]}, {'rows': [{'id': 1, 'name': 'a|b'}, {'id': 2, 'name': 'c'}]}, {'note': ''}, {'code': '007'}, {'ok': 'true'}, {'rows': []}, [1, 2], {'rows': rows}):
    official = toon_format.encode(value)
    assert toon_format.decode(official) == value
    text = json_toon.json_to_toon(value)
    try:
        other = json.dumps(toon_format.decode(text))
    except ValueError as error:
        other = type(error).__name__
    print(json.dumps(value), 'back:', json.dumps(json_toon.toon_to_json(text)), '| official reader:', other, '| reads the official text as:', json.dumps(json_toon.toon_to_json(official)))
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('json-toon', 'toon-format')))"
env/bin/python run.py | tee out
diff out - <<'END'
{"log": "line 1\nline 2"} back: {"log": "line 1"} | official reader: ToonDecodeError | reads the official text as: {"log": "\"line 1\\nline 2\""}
{"rows": [{"id": 1, "name": null}]} back: {"rows": [{"id": 1, "name": "None"}]} | official reader: ToonDecodeError | reads the official text as: {"rows[1]{id,name}": [1, "null"]}
{"rows": [{"id": 1, "name": "a|b"}, {"id": 2, "name": "c"}]} back: {"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "c"}]} | official reader: ToonDecodeError | reads the official text as: {"rows[2]{id,name}": [1, "a|b", 2, "c"]}
{"note": ""} back: {"note": {}} | official reader: {"note": {}} | reads the official text as: {"note": "\"\""}
{"code": "007"} back: {"code": 7} | official reader: {"code": "007"} | reads the official text as: {"code": "\"007\""}
{"ok": "true"} back: {"ok": true} | official reader: {"ok": true} | reads the official text as: {"ok": "\"true\""}
{"rows": []} back: {"rows": [[]]} | official reader: ToonDecodeError | reads the official text as: {"rows": []}
[1, 2] back: {} | official reader: "1, 2" | reads the official text as: {"[2]": "1,2"}
{"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]} back: {"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]} | official reader: ToonDecodeError | reads the official text as: {"rows[2]{id,name}": [1, "a", 2, "b"]}
END
