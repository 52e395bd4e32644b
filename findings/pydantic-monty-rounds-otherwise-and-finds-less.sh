#!/usr/bin/env bash
# pydantic-monty 1.4.0 (PyPI), the interpreter in Rust that runs the Python that models write; each line runs in it and in CPython.
# Behaviour: what it does not have is an error, but some of what it has gives other answers, silently. round(x, 2) is computed by another rule: of the 10,000 amounts below 100 with half a cent
# 4,227 are rounded otherwise, though f"{x:.2f}" agrees. In patterns $ does not match before the line break at the end, so that lines that were read with their break are not found;
# a match behind an empty one is skipped, with all its characters; \w has no digits such as ². Of equal keys the last is kept as the key: {1: .., True: ..} has the key True, and
# JSON of it "true".
# Seen:   round(2.675, 2): 2.68, CPython 2.67 / re.search(r"ok$", "ok\n"): nothing / re.findall(r"[a-z]*|\d+", "ab12"): 12 is missing / {1: "a", True: "b"}: {True: "b"}
# Most would guess: a subset of Python, in which what runs gives the same.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pydantic-monty==1.4.0 pydantic-monty-runtime==1.4.0 pydantic-monty-client==1.4.0
cat > run.py <<'PY'
import json
import re

import pydantic_monty

tried = [
    'round(2.675, 2), round(1.115, 2), f"{2.675:.2f}"',
    'sum(1 for i in range(5, 100_000, 10) if round(i / 1000, 2) != float(f"{i / 1000:.2f}"))',
    'sum(round(x, 2) for x in [1.115, 2.675, 10.235])',
    're.search(r"ok$", "ok\\n") is not None',
    '[line for line in "a.py\\nb.md\\nc.py\\n".splitlines(True) if re.search(r"\\.py$", line)]',
    're.findall(r"[a-z]*|\\d+", "ab12")',
    're.findall(r"[^,]*", "a,,b")',
    're.sub(r" *", "_", "a b")',
    're.findall(r"\\w+", "10 m² ½")',
    '{1: "a", True: "b"}',
    'json.dumps({x: "y" for x in [2, 2.0]})',
]

with pydantic_monty.Monty() as pool:
    for line in tried:
        with pool.checkout() as worker:
            inner = worker.feed_run('import json, re\n' + line)
        outer = eval(line, {'json': json, 're': re})
        print(f'{line}: monty {inner!r}, CPython {outer!r}')
PY
env/bin/python -c "import importlib.metadata as m; print('pydantic-monty', m.version('pydantic-monty'))"
env/bin/python run.py | tee out
diff out - <<'END'
round(2.675, 2), round(1.115, 2), f"{2.675:.2f}": monty (2.68, 1.12, '2.67'), CPython (2.67, 1.11, '2.67')
sum(1 for i in range(5, 100_000, 10) if round(i / 1000, 2) != float(f"{i / 1000:.2f}")): monty 4227, CPython 0
sum(round(x, 2) for x in [1.115, 2.675, 10.235]): monty 14.040000000000001, CPython 14.010000000000002
re.search(r"ok$", "ok\n") is not None: monty False, CPython True
[line for line in "a.py\nb.md\nc.py\n".splitlines(True) if re.search(r"\.py$", line)]: monty [], CPython ['a.py\n', 'c.py\n']
re.findall(r"[a-z]*|\d+", "ab12"): monty ['ab', '', ''], CPython ['ab', '', '12', '']
re.findall(r"[^,]*", "a,,b"): monty ['a', '', 'b'], CPython ['a', '', '', 'b', '']
re.sub(r" *", "_", "a b"): monty '_a_b_', CPython '_a__b_'
re.findall(r"\w+", "10 m² ½"): monty ['10', 'm'], CPython ['10', 'm²', '½']
{1: "a", True: "b"}: monty {True: 'b'}, CPython {1: 'b'}
json.dumps({x: "y" for x in [2, 2.0]}): monty '{"2.0": "y"}', CPython '{"2": "y"}'
END
