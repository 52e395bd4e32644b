#!/usr/bin/env bash
# python-calamine 0.9.1 (PyPI), the fast reader of workbooks, also an engine of pandas and polars; to_python() with default options on a file that
# openpyxl 3.1.5 wrote.
# Behaviour: a cell that holds an error, such as #N/A or #DIV/0!, is an empty text, no other than a cell that is empty. Each whole number is a float,
# so an id of seventeen digits is 1.2e+16. Empty rows and columns in front are left out, so a row's place in the list is not its place in the sheet;
# and a number whose format shows a duration is a timedelta, while a date at midnight is a date and the one below it, at three, a datetime.
# Seen:   #N/A: '' / 7: 7.0 / first row: that of B3 / midnight: date, 03:00: datetime
# Expected by most: the error's name or an exception, integers, and one type for one column of dates.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-calamine==0.9.1 openpyxl==3.1.5
cat > run.py <<'PY'
import datetime
import importlib.metadata
import sys
import openpyxl
import python_calamine

print(*(name + ' ' + importlib.metadata.version(name) for name in ('python-calamine', 'openpyxl')), file=sys.stderr)
book = openpyxl.Workbook()
sheet = book.active
for place, value in {'B3': 'id', 'C3': 'when', 'D3': 'rate', 'B4': 7, 'C4': datetime.datetime(2026, 1, 2), 'D4': '#N/A', 'B5': 12345678901234567, 'C5': datetime.datetime(2026, 1, 2, 3), 'D5': '#DIV/0!', 'B6': '007', 'D6': 0.5}.items():
    sheet[place] = value
book.save('file.xlsx')
print('openpyxl', [cell.value for cell in openpyxl.load_workbook('file.xlsx').active['D']])
read = python_calamine.CalamineWorkbook.from_path('file.xlsx').get_sheet_by_index(0)
for row in read.to_python():
    print(row)
print(len(read.to_python()), 'rows,', len(read.to_python(skip_empty_area=False)), 'with empty ones')
PY
env/bin/python run.py | tee out
diff out - <<'END'
openpyxl [None, None, 'rate', '#N/A', '#DIV/0!', 0.5]
['id', 'when', 'rate']
[7.0, datetime.date(2026, 1, 2), '']
[1.234567890123457e+16, datetime.datetime(2026, 1, 2, 3, 0), '']
['007', '', 0.5]
4 rows, 6 with empty ones
END
