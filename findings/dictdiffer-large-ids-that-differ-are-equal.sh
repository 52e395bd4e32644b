#!/usr/bin/env bash
# dictdiffer 0.10.0 (PyPI), which lists what changed between two dictionaries or lists.
# Behaviour: whole numbers are compared with a tolerance that is meant for floating-point numbers and grows with the number. From some ten to the
# power of sixteen on, two integers that differ by one or more are the same for it: other ids, times in nanoseconds and sums are reported as no change.
# Small integers are compared to the last digit, and the same ids as texts are. With tolerance=0 it reports
# the times, and the ids still not, since it makes floating-point numbers of both first.
# Seen:   12345678901234567 to ...568: [] / nanoseconds that differ by 200: [] / as texts: change
# Expected by most: two integers that differ are a change.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dictdiffer==0.10.0
cat > run.py <<'PY'
import importlib.metadata
import sys
from dictdiffer import diff

print('dictdiffer', importlib.metadata.version('dictdiffer'), file=sys.stderr)
for old, new in [
    ({'id': 1234567}, {'id': 1234568}),
    ({'id': 12345678901234567}, {'id': 12345678901234568}),
    ({'time': 1767225600123456700}, {'time': 1767225600123456900}),
    ({'ids': [12345678901234567, 5]}, {'ids': [12345678901234568, 5]}),
    ({'id': '12345678901234567'}, {'id': '12345678901234568'}),
]:
    print(new, 'equal' if old == new else 'other', list(diff(old, new)), len(list(diff(old, new, tolerance=0))))
PY
env/bin/python run.py | tee out
diff out - <<'END'
{'id': 1234568} other [('change', 'id', (1234567, 1234568))] 1
{'id': 12345678901234568} other [] 0
{'time': 1767225600123456900} other [] 1
{'ids': [12345678901234568, 5]} other [] 0
{'id': '12345678901234568'} other [('change', 'id', ('12345678901234567', '12345678901234568'))] 1
END
