#!/usr/bin/env bash
# stockholm 0.5.7 (PyPI), amounts of money with their currency, and sub units as payment services send them.
# Behaviour: sub units are hundredths when the currency is given as text, whatever it is: 1050 of JPY are 10.50 JPY. With the package's own JPY they are 1050 yen, but the text, JSON or dict of that amount has the code alone, so that after
# reading it again the sub units are 105000. A sum takes after its first part. The package's own dinar of Bahrain has hundredths too, where it has thousandths.
# Seen:   from_sub_units(1050, "JPY"): 10.50 JPY / JPY: 1050 JPY, written and read: 105000 sub units / BHD 1000: 10.00 BHD
# Expected by most: 1050 JPY each time; 1.000 BHD.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check stockholm==0.5.7
cat > run.py <<'PY'
import importlib.metadata
from stockholm import Money
from stockholm.currency import BHD, JPY

print('stockholm', importlib.metadata.version('stockholm'))
text = Money.from_sub_units(1050, 'JPY')
own = Money.from_sub_units(1050, JPY)
print('1050 sub units of the text JPY:', text)
print('1050 sub units of the own JPY:', own)
print('the same amount:', text == own)
print('sub units of the own one:', own.sub_units)
print('written as text and read:', Money(str(own)).sub_units)
print('as a dict and read:', Money.from_dict(own.asdict()).sub_units)
print('as JSON and read:', Money.from_json(own.as_json()).sub_units)
print('5 of the own and 5 of the text:', (Money(5, JPY) + Money('5 JPY')).sub_units, 'and the other way round:', (Money('5 JPY') + Money(5, JPY)).sub_units)
print('1000 sub units of the own BHD:', Money.from_sub_units(1000, BHD))
print('1050 sub units of the text USD:', Money.from_sub_units(1050, 'USD'))
PY
env/bin/python run.py | tee out
diff out - <<'END'
stockholm 0.5.7
1050 sub units of the text JPY: 10.50 JPY
1050 sub units of the own JPY: 1050 JPY
the same amount: False
sub units of the own one: 1050
written as text and read: 105000
as a dict and read: 105000
as JSON and read: 105000
5 of the own and 5 of the text: 10 and the other way round: 1000
1000 sub units of the own BHD: 10.00 BHD
1050 sub units of the text USD: 10.50 USD
END
