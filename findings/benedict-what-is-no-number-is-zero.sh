#!/usr/bin/env bash
# python-benedict 0.40.1 (PyPI), a dictionary with typed reading (get_int, get_float, ...) for answers of APIs.
# Behaviour: a value that is there, but can not be converted, is given as 0, 0.0 or False, the same as one that is not there: "1,234" and "5 km"
# are 0, a price "1,10" is 0.0, the flag 2 and the word "enabled" are False. "1.7" is cut to 1. Reading with subset makes what was not asked of
# it: {'a': 1} read at a.b is {'a': {'b': None}}. Of a=1&a=2 in an address only the first is kept, and in an INI file 007 becomes 7.
# Seen:   get_float "1,234": 0.0 / get_int "5 km": 0 / get_bool "enabled": False / subset a.b of {'a': 1}: {'a': {'b': None}} / from_ini 007: 7
# Expected by most: an error, or None; 0 is a value like another.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-benedict==0.40.1
cat > run.py <<'PY'
from benedict import benedict

for method, values in {'get_int': ['12', '1,234', '5 km', '1.7', 'n/a', ''], 'get_float': ['1.5', '1,234', '12%'], 'get_decimal': ['1.10', '1,10'],
                       'get_bool': ['yes', 'enabled', 'False', 2]}.items():
    for value in values:
        print(f'{method} {value!r}: {getattr(benedict({"a": value}), method)("a")!r}')
print('get_int of a missing member:', benedict({}).get_int('a'))
print("subset a.b of {'a': 1}:", dict(benedict({'a': 1}).subset('a.b')))
print('from_query_string a=1&a=2:', dict(benedict.from_query_string('a=1&a=2')))
print('from_ini:', dict(benedict.from_ini('[s]\nid = 007\nbuild = 1e5\n')['s']))
PY
env/bin/python -c "import importlib.metadata as m; print('python-benedict', m.version('python-benedict'))"
env/bin/python run.py | tee out
diff out - <<'END'
get_int '12': 12
get_int '1,234': 0
get_int '5 km': 0
get_int '1.7': 1
get_int 'n/a': 0
get_int '': 0
get_float '1.5': 1.5
get_float '1,234': 0.0
get_float '12%': 0.0
get_decimal '1.10': Decimal('1.10')
get_decimal '1,10': Decimal('0.0')
get_bool 'yes': True
get_bool 'enabled': False
get_bool 'False': False
get_bool 2: False
get_int of a missing member: 0
subset a.b of {'a': 1}: {'a': {'b': None}}
from_query_string a=1&a=2: {'a': '1'}
from_ini: {'id': 7, 'build': 100000.0}
END
