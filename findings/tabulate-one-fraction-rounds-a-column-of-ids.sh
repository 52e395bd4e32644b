#!/usr/bin/env bash
# tabulate 0.10.0 (PyPI), the tables of many Python tools and of to_markdown in pandas, default settings.
# Behaviour: a column is printed in the type of its widest member. One fraction among whole numbers makes all of them numbers of six digits: the
# id 9007199254740993 is 9.0072e+15, beside 1.5 as well as beside the text "1.5". A column of short hashes that happen to be digits with an e is a
# column of numbers (1234e56: 1.234e+59), one hash with another letter turns all back into texts. In the format "github" a cell of two lines is
# two rows, and | in a cell adds a column.
# Seen:   [9007199254740993], [1.5]: 9.0072e+15, 1.5 / ['7e2'], ['1234e56']: 700, 1.234e+59 / 'a|b', 'c\nd': | a|b | c | and | | d |
# Expected by most: whole numbers keep their digits, and a row of the data is one row.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tabulate==0.10.0
cat > run.py <<'PY'
from tabulate import tabulate

columns = [[9007199254740993], [9007199254740993, 1.5], ['9007199254740993', '1.5'], ['1234567.89'],
           ['7e2', '1234e56'], ['7e2', '1234e56', 'abc'], ['3.10', '3.9']]
for column in columns:
    print(column, [line.strip() for line in tabulate([[value] for value in column], tablefmt='plain').splitlines()])
print(tabulate([['a|b', 'c\nd']], ['x', 'y'], tablefmt='github'))
PY
env/bin/python -c "import importlib.metadata as m; print('tabulate', m.version('tabulate'))"
env/bin/python run.py | tee out
diff out - <<'END'
[9007199254740993] ['9007199254740993']
[9007199254740993, 1.5] ['9.0072e+15', '1.5']
['9007199254740993', '1.5'] ['9.0072e+15', '1.5']
['1234567.89'] ['1.23457e+06']
['7e2', '1234e56'] ['700', '1.234e+59']
['7e2', '1234e56', 'abc'] ['7e2', '1234e56', 'abc']
['3.10', '3.9'] ['3.1', '3.9']
| x   | y   |
|-----|-----|
| a|b | c   |
|     | d   |
END
