#!/usr/bin/env bash
# price-parser 0.5.1 (PyPI), which takes the amount and the currency out of the text of a price, Price.fromstring as it is.
# Behaviour: three digits behind a point or a comma are always thousands, behind a zero too: 0.125 EUR is 125 EUR. A point in front of the digits, such as the
# one of "Rs." or "approx.", is taken for the point of a fraction: Rs.2500 is 0.2500. Two numbers with a comma and a space between are one number. Of several
# numbers the first is the price, even when the currency stands beside another one. None of these gives None.
# Seen:   0.125 EUR: 125 / Rs.2500: 0.2500 / "Size 42, 59.99 EUR": 4259.99 / "2 for $10": 2 / "No.5: 20 EUR": 0.5
# Expected by most: 0.125, 2500, 59.99, 10 and 20, or no amount.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check price-parser==0.5.1
cat > run.py <<'PY'
import importlib.metadata
from price_parser import Price

print('price-parser', importlib.metadata.version('price-parser'))
for text in ['19.99 EUR', '0.125 EUR', '0,045 €', '$1.125', 'Rs. 2500', 'Rs.2500', 'approx.15 EUR', 'Size 42, 59.99 EUR',
             '2 for $10', 'No.5: 20 EUR', '-$5.00']:
    price = Price.fromstring(text)
    print(f'{text}: {price.amount} {price.currency}')
print('0.125 EUR, decimal_separator=".":', Price.fromstring('0.125 EUR', decimal_separator='.').amount)
print('2 for $10, currency_hint="$":', Price.fromstring('2 for $10', currency_hint='$').amount)
PY
env/bin/python run.py | tee out
diff out - <<'END'
price-parser 0.5.1
19.99 EUR: 19.99 EUR
0.125 EUR: 125 EUR
0,045 €: 45 €
$1.125: 1125 $
Rs. 2500: 2500 Rs
Rs.2500: 0.2500 Rs
approx.15 EUR: 0.15 EUR
Size 42, 59.99 EUR: 4259.99 EUR
2 for $10: 2 $
No.5: 20 EUR: 0.5 EUR
-$5.00: 5.00 $
0.125 EUR, decimal_separator=".": 0.125
2 for $10, currency_hint="$": 2
END
