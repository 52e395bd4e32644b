#!/usr/bin/env bash
# pyhocon 0.3.63 (PyPI), which reads HOCON, the configuration format of JVM programs, into Python.
# Behaviour: a value without quotes that begins with a number and one of the units of time becomes a timedelta. If another word follows, the time is
# printed as Python does and the word is glued to it: 5 weeks old is the text "35 days, 0:00:00old". A length of 3 m is three minutes. `list += 3`
# after list = [1, 2] gives 3 alone, where HOCON's rules say [1, 2, 3].
# Seen:   5 weeks old: '35 days, 0:00:00old' / 3 m: timedelta(seconds=180) / [1, 2] += 3: 3
# Expected by most: texts stay texts, as HOCON leaves units to the program that asks, and += adds to the list.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyhocon==0.3.63
cat > run.py <<'PY'
import importlib.metadata
import sys
from pyhocon import ConfigFactory

print('pyhocon', importlib.metadata.version('pyhocon'), file=sys.stderr)
for text in ['v = 5 days', 'v = "5 days"', 'v = 5 weeks old', 'v = 3 m', 'v = 3 metres', 'v = 2 h ago', 'v = 12 Monkeys', 'v = [1, 2]\nv += 3', 'v = [1, 2]\nv = ${v} [3]']:
    print(f'{text!r}: {ConfigFactory.parse_string(text).get("v")!r}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
'v = 5 days': datetime.timedelta(days=5)
'v = "5 days"': '5 days'
'v = 5 weeks old': '35 days, 0:00:00old'
'v = 3 m': datetime.timedelta(seconds=180)
'v = 3 metres': '3 metres'
'v = 2 h ago': '2:00:00ago'
'v = 12 Monkeys': '12 Monkeys'
'v = [1, 2]\nv += 3': 3
'v = [1, 2]\nv = ${v} [3]': [1, 2, 3]
END
