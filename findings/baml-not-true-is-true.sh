#!/usr/bin/env bash
# baml-py 0.226.3 (PyPI), BAML, which reads a model's answer into the types that a function declares; the parser alone (b.parse), without a model.
# Behaviour: it takes the one word or number that it finds, whatever stands around it. "not true" and "untrue" are true, "The state is not open." is the state OPEN. As an integer 3/4 is 1, 10k is 10, (5)
# is 5, as accountants write a loss, and a real minus sign is dropped; as a float "12,5" is 125. In a list what does not fit is left out without an error: an order of three items, one with
# a quantity of "x", is an order of two, and numbers with a null among them close up. A list that stands under a name ({"items": [..]}) is an empty list, and so are numbers without brackets. Of a first
# try and its correction the first try counts.
# Seen:   "no, that is not true": True / "not open": OPEN / "12,5": 125.0 / [{..}, {.. "qty": "x"}, {..}]: two items / {"items": [{..}]}: [] / "1, 2, 3": []
# Most would guess: an error, by which the answer is asked for again, or the meaning.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check baml-py==0.226.3 pydantic==2.14.4 typing-extensions==4.16.0
mkdir baml_src
{
cat <<'B'
generator python {
  output_type "python/pydantic"
  output_dir "../"
  version "0.226.3"
  default_client_mode sync
}
client<llm> Nobody {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}
enum State {
  OPEN
  CLOSED
}
class Item {
  name string
  qty int
}
B
for pair in AsBool:bool AsInt:int AsFloat:float AsState:State AsInts:int[] AsItem:Item AsItems:Item[]; do
  printf 'function %s(text: string) -> %s {\n  client Nobody\n  prompt #"{{ text }}"#\n}\n' "${pair%%:*}" "${pair#*:}"
done
} > baml_src/main.baml
cat > run.py <<'PY'
from baml_client import b

answers = {
    'AsBool': ['true', 'not true', 'no, that is not true', 'untrue', 'no'],
    'AsState': ['The state is open.', 'The state is not open.', 'reopened'],
    'AsInt': ['1,234', '3/4', '10k', '(5)', '\u22125', '12.5', 'five'],
    'AsFloat': ['1,234.50', '12,5', '50%', '(5.00)'],
    'AsInts': ['[1, null, 3]', '["1", "x", 3]', '1, 2, 3'],
    'AsItem': ['First try: {"name": "a", "qty": 1}. Corrected: {"name": "a", "qty": 2}'],
    'AsItems': ['[{"name": "a", "qty": 1}, {"name": "b", "qty": "x"}, {"name": "c", "qty": 3}]', '{"items": [{"name": "a", "qty": 1}]}', '{"name": "a", "qty": 1}'],
}
for name, texts in answers.items():
    for text in texts:
        try:
            answer = repr(getattr(b.parse, name)(text))
        except Exception:
            answer = 'error'
        print(f'{name} {ascii(text)}: {answer}')
PY
env/bin/baml-cli generate > log 2>&1 || { cat log; exit 1; }
env/bin/python -c "import importlib.metadata as m; print('baml-py', m.version('baml-py'))"
BAML_LOG=off env/bin/python run.py | tee out
diff out - <<'END'
AsBool 'true': True
AsBool 'not true': True
AsBool 'no, that is not true': True
AsBool 'untrue': True
AsBool 'no': error
AsState 'The state is open.': <State.OPEN: 'OPEN'>
AsState 'The state is not open.': <State.OPEN: 'OPEN'>
AsState 'reopened': <State.OPEN: 'OPEN'>
AsInt '1,234': 1234
AsInt '3/4': 1
AsInt '10k': 10
AsInt '(5)': 5
AsInt '\u22125': 5
AsInt '12.5': 13
AsInt 'five': error
AsFloat '1,234.50': 1234.5
AsFloat '12,5': 125.0
AsFloat '50%': 50.0
AsFloat '(5.00)': 5.0
AsInts '[1, null, 3]': [1, 3]
AsInts '["1", "x", 3]': [1, 3]
AsInts '1, 2, 3': []
AsItem 'First try: {"name": "a", "qty": 1}. Corrected: {"name": "a", "qty": 2}': Item(name='a', qty=1)
AsItems '[{"name": "a", "qty": 1}, {"name": "b", "qty": "x"}, {"name": "c", "qty": 3}]': [Item(name='a', qty=1), Item(name='c', qty=3)]
AsItems '{"items": [{"name": "a", "qty": 1}]}': []
AsItems '{"name": "a", "qty": 1}': [Item(name='a', qty=1)]
END
