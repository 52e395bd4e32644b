#!/usr/bin/env bash
# periodictable 2.1.0 and molmass 2026.1.8 (both PyPI), masses of chemical formulas as catalogues and papers write them.
# Behaviour: the point of a crystal with water, CuSO4.5H2O, is a decimal point for periodictable: 4.5 oxygen, then hydrogen and oxygen. The mass is too small by
# a quarter and there is no error (its own sign is +). molmass reads the point rightly, but for it a number at the start is an isotope: 2H2O is heavy water,
# and 2CO2 an error. It leaves out a fraction: CH3.5 is CH3.
# Seen:   CuSO4.5H2O: 185.6, 249.7 / CoCl2.6H2O: 169.1, 237.9 / 2H2O: 36.0, 20.0 / CH3.5: 15.5, 15.0
# Expected by most: 249.7 from both, 36.0 for two of water, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check periodictable==2.1.0 molmass==2026.1.8
cat > run.py <<'PY'
import importlib.metadata
import warnings

warnings.simplefilter('ignore')
import molmass
import periodictable

print(', '.join(f'{name} {importlib.metadata.version(name)}' for name in ['periodictable', 'molmass']))
readers = [
    lambda text: periodictable.formula(text).mass,
    lambda text: molmass.Formula(text).mass,
]
for text in ['H2O', 'CuSO4.5H2O', 'CuSO4+5H2O', 'CoCl2.6H2O', '2H2O', '2CO2', 'CH3.5']:
    masses = []
    for read in readers:
        try:
            masses.append(f'{read(text):.1f}')
        except Exception:
            masses.append('error')
    print(f'{text}:', ', '.join(masses))
PY
env/bin/python run.py | tee out
diff out - <<'END'
periodictable 2.1.0, molmass 2026.1.8
H2O: 18.0, 18.0
CuSO4.5H2O: 185.6, 249.7
CuSO4+5H2O: 249.7, 249.7
CoCl2.6H2O: 169.1, 237.9
2H2O: 36.0, 20.0
2CO2: 88.0, error
CH3.5: 15.5, 15.0
END
