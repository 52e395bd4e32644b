#!/usr/bin/env bash
# zen-engine 2.1.3 (PyPI), the rules engine of GoRules: evaluate_expression, and a decision table with one expression as its output.
# Behaviour: evaluate_expression gives each number as a float, so that an id from 2 to the power of 53 on is another one; the same expression in a decision gives the integer as it was. Two equal lists or objects are never equal,
# so that "!=" is always true for them and contains() finds no list in a list. A division by nought is null in an expression; in a decision the field is not there at all.
# Seen:   id 9007199254740993: 9007199254740992.0 and 9007199254740993 / [1,2] == [1,2]: False / 1 / 0: None and no field
# Expected by most: one number from both; true; an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check zen-engine==2.1.3
cat > run.py <<'PY'
import importlib.metadata
import json
import zen

print('zen-engine', importlib.metadata.version('zen-engine'))


def decide(text, facts):
    rule = {'_id': 'r', 'in': '', 'out': text}
    table = {'hitPolicy': 'first', 'inputs': [{'id': 'in', 'name': 'In', 'field': 'in'}], 'outputs': [{'id': 'out', 'name': 'Out', 'field': 'out'}], 'rules': [rule]}
    place = {'x': 0, 'y': 0}
    nodes = [
        {'id': 'a', 'type': 'inputNode', 'name': 'a', 'position': place},
        {'id': 'b', 'type': 'decisionTableNode', 'name': 'b', 'position': place, 'content': table},
        {'id': 'c', 'type': 'outputNode', 'name': 'c', 'position': place},
    ]
    edges = [{'id': 'ab', 'type': 'edge', 'sourceId': 'a', 'targetId': 'b'}, {'id': 'bc', 'type': 'edge', 'sourceId': 'b', 'targetId': 'c'}]
    return zen.ZenEngine().create_decision(json.dumps({'nodes': nodes, 'edges': edges})).evaluate(facts)['result']


facts = {'id': 9007199254740993, 'count': 3, 'a': [1, 2], 'b': [1, 2], 'c': {'x': 1}, 'd': {'x': 1}}
for text in ('count', 'id', 'id + 2', 'a == b', 'a != b', 'c == d', '[1,2] == [1,2]', 'contains([a], b)', '1 / 0', '1 / 0 == null'):
    print(f'{text}: expression {zen.evaluate_expression(text, facts)}, decision {decide(text, facts)}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
zen-engine 2.1.3
count: expression 3.0, decision {'out': 3}
id: expression 9007199254740992.0, decision {'out': 9007199254740993}
id + 2: expression 9007199254740996.0, decision {'out': 9007199254740995}
a == b: expression False, decision {'out': False}
a != b: expression True, decision {'out': True}
c == d: expression False, decision {'out': False}
[1,2] == [1,2]: expression False, decision {'out': False}
contains([a], b): expression False, decision {'out': False}
1 / 0: expression None, decision {}
1 / 0 == null: expression True, decision {'out': True}
END
