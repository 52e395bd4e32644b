#!/usr/bin/env bash
# three-merge 0.1.1 (PyPI), merges two changed texts with their common base.
# Behaviour: the merge goes by letters, not by lines. Where one side changes 10 to 130 and the other changes it to 105, the result is 1305, a number that
# nobody wrote, and there is no mark of a conflict; v1.20 and v11.2 are v11.20. Where it does see a conflict the marks stand within the line, around single digits.
# Seen:   timeout = 1305 / v11.20 / not ready soon / "price 1<<<<<<< ++ 5 ======= ++ 8 >>>>>>>"
# Expected by most: a conflict of two lines, as git has.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check three-merge==0.1.1
cat > run.py <<'PY'
import importlib.metadata
from three_merge import merge

print('three-merge', importlib.metadata.version('three-merge'))
for name, one, other, base in (
    ('both raise a limit', 'timeout = 130\n', 'timeout = 105\n', 'timeout = 10\n'),
    ('both change a port', 'port = 8080\n', 'port = 801\n', 'port = 80\n'),
    ('both add a word', 'not ready\n', 'ready soon\n', 'ready\n'),
    ('a version', 'v1.20\n', 'v11.2\n', 'v1.2\n'),
    ('two prices', 'price 15\n', 'price 18\n', 'price 10\n'),
):
    print(f'{name}: {merge(one, other, base)!r}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
three-merge 0.1.1
both raise a limit: 'timeout = 1305\n'
both change a port: 'port = 80<<<<<<< ++ 80 ======= ++ 1 >>>>>>>\n'
both add a word: 'not ready soon\n'
a version: 'v11.20\n'
two prices: 'price 1<<<<<<< ++ 5 ======= ++ 8 >>>>>>>\n'
END
