#!/usr/bin/env bash
# tempora-memory 0.1.0 (PyPI), which answers questions about facts that change by code instead of by a model: resolve and build_timeline, as they are called after a model found the facts.
# Behaviour: of a value that comes twice the FIRST place in time is kept. Who lived in Delhi, then in Bangalore and now in Delhi again, lives in Bangalore according to "current", and lived in Delhi before. A price that goes back, a status that is opened again, a job that is taken up again: the same. A fact that is merely
# said again later also ends the newer one. The README says: "current: timeline[-1]".
# Seen:   Delhi, Bangalore, Delhi: current Bangalore, previous Delhi, history "Delhi, Bangalore"
# Expected by most: current Delhi, previous Bangalore.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tempora-memory==0.1.0
cat > run.py <<'PY'
from tempora import OPERATORS, build_timeline, resolve


def show(*values):
    facts = [{'id': number, 'value': value} for number, value in enumerate(values)]
    print(', '.join(values) + ':', '; '.join(f'{operator} {resolve(operator, facts)}' for operator in OPERATORS))


show('Delhi', 'Bangalore', 'Mumbai')
show('Delhi', 'Bangalore', 'Delhi')
show('open', 'closed', 'open', 'closed', 'open')
show('10 EUR', '12 EUR', '10 EUR', '15 EUR')
PY
echo "tempora-memory $(env/bin/python -c "import importlib.metadata as m; print(m.version('tempora-memory'))")"
env/bin/python run.py | tee out
diff out - <<'END'
Delhi, Bangalore, Mumbai: current Mumbai; previous Bangalore; count 3; history Delhi, Bangalore, Mumbai
Delhi, Bangalore, Delhi: current Bangalore; previous Delhi; count 2; history Delhi, Bangalore
open, closed, open, closed, open: current closed; previous open; count 2; history open, closed
10 EUR, 12 EUR, 10 EUR, 15 EUR: current 15 EUR; previous 12 EUR; count 3; history 10 EUR, 12 EUR, 15 EUR
END
