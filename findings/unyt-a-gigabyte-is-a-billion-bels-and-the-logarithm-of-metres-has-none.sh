#!/usr/bin/env bash
# unyt 3.2.0 (PyPI), numbers with units, from text.
# Behaviour: B is the bel, so "1 kB" and "1 GB" are taken and are levels in nepers, not bytes. (A byte is not among the units; MiB and "bytes" are refused.) Sums of degrees Celsius are taken
# as they stand, and 5 and 3 degrees are 8, though twice 5 degrees or a mean is an error. log10 of a length is a bare number.
# Seen:   1 GB: 1151292546 Np / sum of 10 and 20 degC: 30 degC, mean: error / log10(100 m): 2
# Expected by most: bytes or an error; the sum refused as the mean is; an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check unyt==3.2.0
cat > run.py <<'PY'
import importlib.metadata
import sys
import numpy as np
from unyt import unyt_array, unyt_quantity
print('unyt', importlib.metadata.version('unyt'), file=sys.stderr)
def show(name, work):
    try:
        print(f'{name}: {work()}')
    except Exception as error:
        print(f'{name}: {type(error).__name__}')
for text in ['1 kB', '1 GB', '1 MiB', '1 byte', '3 dB', '1 km']:
    show(text, lambda: f"{unyt_quantity.from_string(text).in_mks():.2f}")
show('1 GB and 30 dB', lambda: f"{(unyt_quantity.from_string('1 GB') + unyt_quantity.from_string('30 dB')).to('dB'):.0f}")
show('5 degC and 3 degC', lambda: unyt_quantity(5, 'degC') + unyt_quantity(3, 'degC'))
show('sum of 10 and 20 degC', lambda: unyt_array([10, 20], 'degC').sum())
show('mean of 10 and 20 degC', lambda: unyt_array([10, 20], 'degC').mean())
show('twice 10 degC', lambda: unyt_quantity(10, 'degC') * 2)
show('log10 of 100 m', lambda: np.log10(unyt_quantity(100, 'm')))
show('log10 of 10000 cm', lambda: np.log10(unyt_quantity(10000, 'cm')))
PY
env/bin/python run.py | tee out
diff out - <<'END'
1 kB: 1151.29 Np
1 GB: 1151292546.50 Np
1 MiB: UnitParseError
1 byte: UnitParseError
3 dB: 0.35 Np
1 km: 1000.00 m
1 GB and 30 dB: 10000000030 dB
5 degC and 3 degC: 8 °C
sum of 10 and 20 degC: 30 °C
mean of 10 and 20 degC: InvalidUnitOperation
twice 10 degC: InvalidUnitOperation
log10 of 100 m: 2.0
log10 of 10000 cm: 4.0
END
