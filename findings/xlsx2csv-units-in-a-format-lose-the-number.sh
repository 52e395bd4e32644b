#!/usr/bin/env bash
# xlsx2csv 0.8.6 (PyPI), a workbook written by openpyxl 3.1.5 (PyPI), default settings.
# Behaviour: a number format that shows a unit in quotes is taken for a format of dates as soon as the unit has one of the letters d, h, m, s or y.
# The value is then gone: the cell becomes the quoted text with parts of a date in it, and the exit code is 0. Without such letters the number is there.
# A time of more than a day loses its days: 30:05:00 becomes 06:05. Formats with days and months in other languages have doubled quotes.
# Seen:   2026 "days": 0" 18ays" / 15.5 "mmol/d": 0.0 "01ol/14" / 12 h: 0.0"12" / 30:05:00: 06:05 / 5 "kg": 5
# Expected by most: the number, with or without its unit.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check xlsx2csv==0.8.6 openpyxl==3.1.5
cat > make.py <<'PY'
import datetime
import importlib.metadata
import openpyxl

print('xlsx2csv', importlib.metadata.version('xlsx2csv'))
book = openpyxl.Workbook()
sheet = book.active
sheet.append(['what', 'value'])
for what, value, form in [
    ('weight', 5, '0 "kg"'),
    ('uptime', 2026, '0" days"'),
    ('dose', 15.5, '0.0 "mmol/d"'),
    ('effort', 12, '0.0"h"'),
    ('length', 7.25, '0.00" m"'),
    ('people', 40, '0" members"'),
    ('worked', datetime.timedelta(hours=30, minutes=5), '[h]:mm:ss'),
    ('plain', 2026, '0'),
]:
    sheet.append([what, value])
    sheet.cell(sheet.max_row, 2).number_format = form
book.save('book.xlsx')
PY
env/bin/python make.py
env/bin/xlsx2csv book.xlsx | tee out
diff out - <<'END'
what,value
weight,5
uptime,"0"" 18ays"""
dose,"0.0 ""01ol/14"""
effort,"0.0""12"""
length,"0.00"" 01"""
people,"0"" 02e02bers"""
worked,06:05
plain,2026
END
