#!/usr/bin/env bash
# duckdb 2.0.1 (PyPI), which agents and MCP servers for data read CSV with; read_csv as it is, with its own guesses (the sniffer).
# Behaviour: when the last row has one field more than the others (a comma in a text), the rows above count as a preamble: the header and a thousand rows
# are left out without a word, and the last row is the table. The same row in the middle, or a last row that lacks a field, makes one column of whole
# lines. Only an empty field more is taken as one should think.
# Seen:   as it should be: 3 columns, 1000 rows / last row wider: 4 columns, 1 row / a wider row in the middle: 1 column / a narrower last row: 1 column
# Expected by most: an error that names the line, or the row padded or cut.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1
cat > run.py <<'PY'
import pathlib
import duckdb

print('duckdb', duckdb.__version__)
rows = ''.join(f'{number},name {number},tea\n' for number in range(1000))
tried = {
    'plain': rows,
    'last row wider': rows + '1000,Dan,ham,cheese\n',
    'middle row wider': rows + '1000,Dan,ham,cheese\n1001,Eve,figs\n',
    'last row narrower': rows + '1000,Dan\n',
    'last row with an empty field more': rows + '1000,Dan,ham,\n',
}
for name, text in tried.items():
    pathlib.Path('t.csv').write_text('id,name,note\n' + text)
    table = duckdb.sql("from read_csv('t.csv')")
    print(f'{name}: {len(table.columns)} columns, {len(table.fetchall())} rows')
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(printf '%s\n' 'plain: 3 columns, 1000 rows' 'last row wider: 4 columns, 1 rows' 'middle row wider: 1 columns, 1002 rows' 'last row narrower: 1 columns, 1001 rows' 'last row with an empty field more: 3 columns, 1001 rows')
