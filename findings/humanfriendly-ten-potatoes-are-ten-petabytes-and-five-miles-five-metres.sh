#!/usr/bin/env bash
# humanfriendly 10.0 (PyPI), reads sizes, lengths and spans of time that people wrote.
# Behaviour: of the unit of a size only the first letter counts. So bits are bytes, a rate in Mbit/s is a size in MB, and what is no size at all is a large one:
# "12 zones", "3 entries", "10 potatoes". parse_length takes any word that begins with an m and is no other unit for metres: 5 miles are 5 and
# 10 minutes are 10. It refuses feet, yards and "500 items", so one trusts it to refuse the others.
# Seen:   16 bits: 16 / 100 Mbit/s: 100000000 / 10 potatoes: 10000000000000000 / 5 miles: 5 / 5 feet: refused
# Expected by most: bits divided by eight or refused; miles and potatoes refused.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check humanfriendly==10.0
cat > run.py <<'PY'
import importlib.metadata
import humanfriendly

print('humanfriendly', importlib.metadata.version('humanfriendly'))
for read, texts in [(humanfriendly.parse_size, ['16 bytes', '16 bits', '5 MB', '5 Mbit', '100 Mbit/s', '8 pages', '3 entries', '10 potatoes', '500 items']),
                    (humanfriendly.parse_length, ['5 km', '5 m', '5 miles', '10 minutes', '5 feet'])]:
    for text in texts:
        try:
            print(read.__name__, text, '=>', read(text))
        except Exception as error:
            print(read.__name__, text, '=> refused,', type(error).__name__)
PY
env/bin/python run.py | tee out
diff out - <<'END'
humanfriendly 10.0
parse_size 16 bytes => 16
parse_size 16 bits => 16
parse_size 5 MB => 5000000
parse_size 5 Mbit => 5000000
parse_size 100 Mbit/s => 100000000
parse_size 8 pages => 8000000000000000
parse_size 3 entries => 3000000000000000000
parse_size 10 potatoes => 10000000000000000
parse_size 500 items => refused, InvalidSize
parse_length 5 km => 5000
parse_length 5 m => 5
parse_length 5 miles => 5
parse_length 10 minutes => 10
parse_length 5 feet => refused, InvalidLength
END
