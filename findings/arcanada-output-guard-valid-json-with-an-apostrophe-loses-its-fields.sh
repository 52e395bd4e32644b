#!/usr/bin/env bash
# arcanada-output-guard 0.1.3 (PyPI, imported as output_guard): repair(text, "json"), "battle-tested 15-strategy repair chain"; "repaired" is to be False when the text was valid.
# Behaviour: valid JSON is not left alone. The strategies look at letters, not at what is text and what is not: an apostrophe in a text becomes a double quote, so that the text ends or swallows the fields
# behind it; True and None in sentences become true and null; a comma before a bracket goes, in regular expressions too; "words: more" becomes a key. So fields are lost or get new names, with
# repaired=True and no error. Only texts without such signs come through. The same happens in a fenced block.
# Seen:   {"a": "It's fine", "b": "Ann's", "c": 1}: a and b are one field / "None of it is True": "null of it is true" / "[a-z],]": "[a-z]]"
# Expected by most: valid JSON as it is, repaired=False.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check arcanada-output-guard==0.1.3
cat > run.py <<'PY'
import importlib.metadata
import json
from output_guard import repair

print('arcanada-output-guard', importlib.metadata.version('arcanada-output-guard'))
for record in [
    {'a': 'plain', 'id': 12345678901234567890},
    {'a': "It's fine", 'b': "Ann's", 'c': 1},
    {'q': "say 'hi', ok", 'b': 1},
    {'size': '5\' 6"', 'b': 1},
    {'s': 'None of it is True, he said', 'list': '[a, ]'},
    {'pattern': '[a-z],]', 'b': 1},
    {'q': 'is it {a: 1}? yes, key: value', 'b': 1, 'list': '[1, ]'},
]:
    text = json.dumps(record)
    result = repair(text, 'json')
    print(text, '\n  ', json.dumps(result.data), 'repaired' if result.repaired else 'as it was', '' if result.data == record else '- WRONG')
fenced = '```json\n{"a": "It\'s fine", "b": "Ann\'s", "c": 1}\n```'
print('fenced:', json.dumps(repair(fenced, 'json').data))
PY
env/bin/python run.py | tee out
diff out - <<'END'
arcanada-output-guard 0.1.3
{"a": "plain", "id": 12345678901234567890} 
   {"a": "plain", "id": 12345678901234567890} as it was 
{"a": "It's fine", "b": "Ann's", "c": 1} 
   {"a": "It\"s fine\", \"b\": \"Ann\"s", "c": 1} repaired - WRONG
{"q": "say 'hi', ok", "b": 1} 
   {"q": "say \"hi\"", "ok": "b"} repaired - WRONG
{"size": "5' 6\"", "b": 1} 
   {"size": "5\" 6\"\", \"b\": 1"} repaired - WRONG
{"s": "None of it is True, he said", "list": "[a, ]"} 
   {"s": "null of it is true, he said", "list": "[a ]"} repaired - WRONG
{"pattern": "[a-z],]", "b": 1} 
   {"pattern": "[a-z]]", "b": 1} repaired - WRONG
{"q": "is it {a: 1}? yes, key: value", "b": 1, "list": "[1, ]"} 
   {"q": "is it {\"a", "key": "value", "b": 1, "list": "[1 ]"} repaired - WRONG
fenced: {"a": "It\"s fine\", \"b\": \"Ann\"s", "c": 1}
END
