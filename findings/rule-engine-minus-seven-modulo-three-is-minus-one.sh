#!/usr/bin/env bash
# rule-engine 5.1.0 (PyPI), rules in a language like Python's for filtering Python objects.
# Behaviour: the operators are written as in Python, and three of them give other numbers. The rest and the whole quotient of negative numbers are cut
# toward zero instead of rounded down, and powers are worked from the left. A rule that puts records into buckets by hour or by shift finds others than
# the same line in Python.
# Seen:   -7 % 3: -1 / -7 // 2: -3 / 2 ** 3 ** 2: 64
# Expected by most: 2, -4, 512, as Python has.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rule-engine==5.1.0
cat > run.py <<'PY'
import importlib.metadata
import rule_engine

print('rule-engine', importlib.metadata.version('rule-engine'))
for text in ('-7 % 3', '-7 // 2', '2 ** 3 ** 2', '7 % -3', '7 // 2', '-2 ** 2'):
    print(f'{text}: {rule_engine.Rule(text).evaluate({})}, in Python {eval(text)}')
records = [{'offset': hour} for hour in range(-5, 4)]
text = 'offset % 3 == 1'
print(text, [r['offset'] for r in rule_engine.Rule(text).filter(records)], 'in Python', [r['offset'] for r in records if r['offset'] % 3 == 1])
PY
env/bin/python run.py | tee out
diff out - <<'END'
rule-engine 5.1.0
-7 % 3: -1, in Python 2
-7 // 2: -3, in Python -4
2 ** 3 ** 2: 64, in Python 512
7 % -3: 1, in Python -2
7 // 2: 3, in Python 3
-2 ** 2: -4, in Python -4
offset % 3 == 1 [1] in Python [-5, -2, 1]
END
