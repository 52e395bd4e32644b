#!/usr/bin/env bash
# pycel 1.0b30 (PyPI), figures the formulas of Excel workbooks in Python; hyperformula 3.1.0 (npm) figures the same ones.
# Behaviour: DATE(2026,3,0), the usual way to the last day of February, is 3 March, and EDATE from 31 January by a month is 3 March too (EOMONTH is right). A minus before a cell comes
# after the power: -A1^2 is -9 where Excel says 9. SUM over OFFSET(...) or INDIRECT("A1:A3") is 0 without an error when those cells were not asked for before. A text of digits in SUM is left out.
# Seen:   DATE(2026,3,0)=2026-03-03, EDATE=2026-03-03, -A1^2=-9, SUM(OFFSET(A1,0,0,3,1))=0
# Expected by most: 2026-02-28, 2026-02-28, 9, 60 as in Excel.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pycel==1.0b30 openpyxl==3.1.5
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts hyperformula@3.1.0 2> /dev/null
cat > run.py <<'PY'
import datetime
import json
import logging
import subprocess
import warnings
import openpyxl
from pycel import ExcelCompiler

warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)
days = ['DATE(2026,3,0)', 'DATE(2026,1,0)', 'DATE(2026,3,-1)', 'DATE(2026,14,1)', 'EDATE(DATE(2026,1,31),1)', 'EDATE(DATE(2026,3,31),-1)', 'EOMONTH(DATE(2026,1,31),1)']
figures = ['-A1^2', '5+-A1^2', '0-A1^2', 'SUM(OFFSET(B1,0,0,3,1))', 'SUM(INDIRECT("B1:B3"))', 'SUM(B1:B3)', 'SUM(OFFSET(B1,0,0,3,1))', 'SUM(A1,"2")']
rows = [[3, 10], [None, 20], [None, 30]]
book = openpyxl.Workbook()
for row in rows:
    book.active.append(row)
for place, formula in enumerate(days + figures, 1):
    book.active[f'Z{place}'] = '=' + formula
book.active.title = 'one'
book.save('book.xlsx')
other = '''const { HyperFormula } = require('hyperformula');
const [rows, formulas] = JSON.parse(process.argv[1]);
console.log(JSON.stringify(formulas.map((one) => HyperFormula.buildFromArray([[...rows[0], '=' + one], ...rows.slice(1)], { licenseKey: 'gpl-v3' }).getCellValue({ sheet: 0, row: 0, col: 2 }))))'''
right = json.loads(subprocess.run(['node', '-e', other, json.dumps([rows, [one if 'INDIRECT' not in one else 'SUM(B1:B3)' for one in days + figures]])], capture_output=True, text=True, check=True).stdout)
day = lambda number: (datetime.date(1899, 12, 30) + datetime.timedelta(number)).isoformat()
compiled = ExcelCompiler('book.xlsx')
for place, formula in enumerate(days + figures, 1):
    values = [compiled.evaluate(f'one!Z{place}'), right[place - 1]]
    print(f'={formula}: pycel {day(values[0]) if formula in days else values[0]}, hyperformula {day(values[1]) if formula in days else values[1]}')
PY
echo "pycel $(env/bin/python -c "import importlib.metadata as m; print(m.version('pycel'))")"
env/bin/python run.py | tee out
diff out - <<'END'
=DATE(2026,3,0): pycel 2026-03-03, hyperformula 2026-02-28
=DATE(2026,1,0): pycel 2025-12-31, hyperformula 2025-12-31
=DATE(2026,3,-1): pycel 2026-03-02, hyperformula 2026-02-27
=DATE(2026,14,1): pycel 2027-02-01, hyperformula 2027-02-01
=EDATE(DATE(2026,1,31),1): pycel 2026-03-03, hyperformula 2026-02-28
=EDATE(DATE(2026,3,31),-1): pycel 2026-03-03, hyperformula 2026-02-28
=EOMONTH(DATE(2026,1,31),1): pycel 2026-02-28, hyperformula 2026-02-28
=-A1^2: pycel -9, hyperformula 9
=5+-A1^2: pycel -4, hyperformula 14
=0-A1^2: pycel -9, hyperformula -9
=SUM(OFFSET(B1,0,0,3,1)): pycel 0, hyperformula 60
=SUM(INDIRECT("B1:B3")): pycel 0, hyperformula 60
=SUM(B1:B3): pycel 60, hyperformula 60
=SUM(OFFSET(B1,0,0,3,1)): pycel 0, hyperformula 60
=SUM(A1,"2"): pycel 3, hyperformula 5
END
