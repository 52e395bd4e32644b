#!/usr/bin/env bash
# ddsketch 3.0.1 (PyPI), quantiles of a stream; add(value, weight=1.0).
# Behaviour: the rank is the quantile times (total weight minus one). With weights that are shares, whose total is one, every quantile is the least value; with a smaller total the median
# and the 99th part are -0.99, a value that was never there and the same for any data. Count, sum and mean are right. Weights of one and more behave.
# Seen:   10, 20, 30, 40, 50 with 0.2 each: median 10, p99 10 / with 0.1 each: -0.99, -0.99 / with 1 each: 30, 40 (p99)
# Expected by most: the median 30 each time.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ddsketch==3.0.1
cat > run.py <<'PY'
import importlib.metadata
import sys
from ddsketch import DDSketch
print('ddsketch', importlib.metadata.version('ddsketch'), file=sys.stderr)
for values, weight in [((10, 20, 30, 40, 50), 1), ((10, 20, 30, 40, 50), 100), ((10, 20, 30, 40, 50), 0.4), ((10, 20, 30, 40, 50), 0.2), ((10, 20, 30, 40, 50), 0.1), ((5000, 6000, 7000), 0.1)]:
    sketch = DDSketch(0.01)
    for value in values:
        sketch.add(value, weight)
    found = ', '.join(f'{share}: {sketch.get_quantile_value(share):.2f}' for share in (0, 0.5, 0.99, 1))
    print(f'{values}, weight {weight} each: {found}, mean {sketch.avg:.0f}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
(10, 20, 30, 40, 50), weight 1 each: 0: 10.07, 0.5: 30.27, 0.99: 40.05, 1: 49.90, mean 30
(10, 20, 30, 40, 50), weight 100 each: 0: 10.07, 0.5: 30.27, 0.99: 49.90, 1: 49.90, mean 30
(10, 20, 30, 40, 50), weight 0.4 each: 0: 10.07, 0.5: 19.89, 0.99: 30.27, 1: 30.27, mean 30
(10, 20, 30, 40, 50), weight 0.2 each: 0: 10.07, 0.5: 10.07, 0.99: 10.07, 1: 10.07, mean 30
(10, 20, 30, 40, 50), weight 0.1 each: 0: 10.07, 0.5: -0.99, 0.99: -0.99, 1: -0.99, mean 30
(5000, 6000, 7000), weight 0.1 each: 0: 4965.32, 0.5: -0.99, 0.99: -0.99, 1: -0.99, mean 6000
END
