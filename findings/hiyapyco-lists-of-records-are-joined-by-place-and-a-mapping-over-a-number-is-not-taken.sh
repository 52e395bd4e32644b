#!/usr/bin/env bash
# hiyapyco 0.7.0 (PyPI), YAML files of which the later ones go before the earlier ones, with METHOD_MERGE ("a deep merge").
# Behaviour: the records of two lists are joined by their place: the first of the second list goes into the first of the first one, whatever their ids, so that one record is gone and another has fields of two. Lists of plain values
# are added up. A mapping over a number or a text is not taken, without a word, and neither is null, nor an empty list over a full one; a number over a mapping is taken. METHOD_SIMPLE takes each of them.
# Seen:   [{id: 1, a: 1}, {id: 2}] and [{id: 2, b: 5}]: [{id: 2, a: 1, b: 5}, {id: 2}] / 5 and {x: 1}: 5
# Expected by most: the record with id 2 gets b, or a third record; {x: 1}, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check hiyapyco==0.7.0
cat > run.py <<'PY'
import importlib.metadata
import json
import hiyapyco

print('hiyapyco', importlib.metadata.version('hiyapyco'))
for first, second in (
    ('{x: 1, y: 1}', '{y: 2}'), ('[{id: 1, a: 1}, {id: 2}]', '[{id: 3, a: 9}]'), ('[{id: 1, a: 1}, {id: 2}]', '[{id: 2, b: 5}]'), ('[1, 2]', '[3]'),
    ('[1, 2]', '[]'), ('5', '{x: 1}'), ('{x: 1}', '5'), ('5', 'null'), ('5', '0'),
):
    files = []
    for name, text in (('one.yaml', first), ('two.yaml', second)):
        with open(name, 'w') as file:
            file.write(f'value: {text}\n')
        files.append(name)
    made = [json.dumps(hiyapyco.load(files, method=method)['value']) for method in (hiyapyco.METHOD_MERGE, hiyapyco.METHOD_SIMPLE)]
    print(f'{first} and {second}: merge {made[0]}, simple {made[1]}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
hiyapyco 0.7.0
{x: 1, y: 1} and {y: 2}: merge {"x": 1, "y": 2}, simple {"y": 2}
[{id: 1, a: 1}, {id: 2}] and [{id: 3, a: 9}]: merge [{"id": 3, "a": 9}, {"id": 2}], simple [{"id": 3, "a": 9}]
[{id: 1, a: 1}, {id: 2}] and [{id: 2, b: 5}]: merge [{"id": 2, "a": 1, "b": 5}, {"id": 2}], simple [{"id": 2, "b": 5}]
[1, 2] and [3]: merge [1, 2, 3], simple [3]
[1, 2] and []: merge [1, 2], simple []
5 and {x: 1}: merge 5, simple {"x": 1}
{x: 1} and 5: merge 5, simple 5
5 and null: merge 5, simple null
5 and 0: merge 0, simple 0
END
