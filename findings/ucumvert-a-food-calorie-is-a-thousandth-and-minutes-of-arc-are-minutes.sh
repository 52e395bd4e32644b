#!/usr/bin/env bash
# ucumvert 0.3.2 with pint (PyPI): units of UCUM, the codes of medical data, for pint.
# Behaviour: [Cal], the food calorie, is read as cal, the small one: a meal of 500 [Cal] has 2.1 kJ. The marks ' and '' are minutes and seconds of time instead of arc, so an angle is a duration.
# G, the gauss, is the one of another system and can't be turned into T. Most other codes are right (10*3/uL, mm[Hg], [lb_av], mo).
# Seen:   500 [Cal]: 2.092 kJ / 30 ': 1800 s / 30 ' as deg: DimensionalityError
# Expected by most: 2092 kJ, and half a degree.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ucumvert==0.3.2 pint==0.25.3
cat > run.py <<'PY'
import importlib.metadata
import sys
from ucumvert import PintUcumRegistry
print('ucumvert', importlib.metadata.version('ucumvert'), file=sys.stderr)
units = PintUcumRegistry()
for amount, code, target in [(500, '[Cal]', 'kJ'), (500, 'kcal', 'kJ'), (500, 'cal', 'kJ'), (30, "'", 'deg'), (30, "'", 's'), (90, "''", 's'), (30, 'min', 's'), (1, 'gon', 'deg'), (10, 'G', 'T'), (5, '10*3/uL', '1/mL'), (120, 'mm[Hg]', 'kPa')]:
    try:
        print(f'{amount} {code}: {(amount * units.from_ucum(code)).to(units.from_ucum(target)):.6g}')
    except Exception as error:
        print(f'{amount} {code} to {target}: {type(error).__name__}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
500 [Cal]: 2.092 kilojoule
500 kcal: 2092 kilojoule
500 cal: 2.092 kilojoule
30 ' to deg: DimensionalityError
30 ': 1800 second
90 '': 90 second
30 min: 1800 second
1 gon: 0.9 degree
10 G to T: DimensionalityError
5 10*3/uL: 5e+06 / milliliter
120 mm[Hg]: 15.9987 kilopascal
END
