#!/usr/bin/env bash
# formulas 1.3.4 (PyPI), reads and calculates Excel formulas in Python.
# Behaviour: VALUE of "1,234" is not 1234 but the serial number of a day in 2134, and "1,234,567" is the same day. XIRR of 1000 of which 600 came back within a
# year is -0.9999999, a loss of everything; IRR of the same money, by half-years, is right. ROUNDDOWN and TRUNC take a cent from 19.99 and from 4.35. TEXT puts
# a minus before the brackets of a negative number, and of a positive one it takes the second part. SEARCH knows no question mark, and COUNT counts TRUE in a
# list.
# Seen:   VALUE 1,234 a day in 2134 / XIRR -0.9999999 / 19.98 / -(5.50) and (5.50) / #VALUE! / 2
# Expected by most: as Excel: 1234 / -0.484 / 19.99 / (5.50) and 5.50 / 2 / 1
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check formulas==1.3.4
cat > run.py <<'PY'
import importlib.metadata
import numpy
import formulas

print('formulas', importlib.metadata.version('formulas'))

def run(formula):
    return numpy.ravel(formulas.Parser().ast(formula)[1].compile()())[0]

print('VALUE of 1,234 is 1234:', run('=VALUE("1,234")') == 1234)
print('VALUE of 1,234 is VALUE of 1,234,567:', run('=VALUE("1,234")') == run('=VALUE("1,234,567")'))
print('its year as a day:', run('=TEXT(VALUE("1,234"),"yyyy")'))
for formula in ['=VALUE("1234")', '=XIRR({-1000,300,300},{45292,45474,45658})', '=ROUND(IRR({-1000,300,300}),3)', '=ROUNDDOWN(19.99,2)', '=TRUNC(4.35,2)',
                '=ROUND(19.99,2)', '=TEXT(-5.5,"0.00;(0.00)")', '=TEXT(5.5,"0.00;(0.00)")', '=SEARCH("?c","abc")', '=COUNT({1,"5",TRUE})', '=TRIM("  a   b ")']:
    print(formula + ':', run(formula))
PY
env/bin/python run.py | tee out
diff out - <<'END'
formulas 1.3.4
VALUE of 1,234 is 1234: False
VALUE of 1,234 is VALUE of 1,234,567: True
its year as a day: 2134
=VALUE("1234"): 1234.0
=XIRR({-1000,300,300},{45292,45474,45658}): -0.9999999
=ROUND(IRR({-1000,300,300}),3): -0.282
=ROUNDDOWN(19.99,2): 19.98
=TRUNC(4.35,2): 4.34
=ROUND(19.99,2): 19.99
=TEXT(-5.5,"0.00;(0.00)"): -(5.50)
=TEXT(5.5,"0.00;(0.00)"): (5.50)
=SEARCH("?c","abc"): #VALUE!
=COUNT({1,"5",TRUE}): 2
=TRIM("  a   b "): a   b
END
