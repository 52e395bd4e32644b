#!/usr/bin/env bash
# xlcalculator 0.5.0 (PyPI), figures the formulas of Excel workbooks in Python; hyperformula 3.1.0 (npm) figures the same ones.
# Behaviour: a number in a sentence is written as Python does: ="Total: "&10/2 is "Total: 5.0" and &TRUE is "True". AVERAGE over cells of which one is blank is #VALUE!, and so is a blank
# cell plus one. SUM and AVERAGE take texts of digits for numbers. COUNTIF knows no star: "p*" finds none. ISTEXT of a blank cell is true.
# Seen:   "Total: 5.0" / AVERAGE(A1:A4)=#VALUE! / SUM(C1:C2)=12 / COUNTIF(B1:B4,"p*")=0
# Expected by most: "Total: 5", 2.33, 7, 3 as in Excel.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check xlcalculator==0.5.0 openpyxl==3.1.5
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts hyperformula@3.1.0 2> /dev/null
cat > run.py <<'PY'
import json
import logging
import subprocess
import openpyxl
from xlcalculator import Evaluator, ModelCompiler

logging.disable(logging.CRITICAL)
formulas = ['"Total: "&10/2', '"Total: "&A4/A1', 'CONCATENATE("n",A4/A2)', 'IF("a"&A4/A2="a2","yes","no")', '"is "&(A1=1)', 'AVERAGE(A1:A4)', 'SUM(A1:A4)/COUNT(A1:A4)', 'A3+1', 'SUM(C1:C2)', 'AVERAGE(C1:C2)',
            'COUNTIF(B1:B4,"p*")', 'COUNTIF(B1:B4,"pen")', 'MATCH("c*",B1:B4,0)', 'ISTEXT(A3)', 'TRIM(" a   b ")', 'A1&A3&A4']
rows = [[1, 'pen', '5'], [2, 'cup', 7], [None, 'Pen', None], [4, 'pot', None]]
book = openpyxl.Workbook()
for row in rows:
    book.active.append(row)
for place, formula in enumerate(formulas, 1):
    book.active[f'Z{place}'] = '=' + formula
book.active.title = 'one'
book.save('book.xlsx')
other = '''const { HyperFormula } = require('hyperformula');
const [rows, formulas] = JSON.parse(process.argv[1]);
console.log(JSON.stringify(formulas.map((one) => {
  const table = rows.map((row) => row.map((cell) => cell === '5' ? "'5" : cell));
  table[0][3] = '=' + one;
  const value = HyperFormula.buildFromArray(table, { licenseKey: 'gpl-v3', useWildcards: true, useRegularExpressions: false }).getCellValue({ sheet: 0, row: 0, col: 3 });
  return value?.value ?? value;
})))'''
right = json.loads(subprocess.run(['node', '-e', other, json.dumps([rows, formulas])], capture_output=True, text=True, check=True).stdout)
evaluator = Evaluator(ModelCompiler().read_and_parse_archive('book.xlsx'))
for place, formula in enumerate(formulas, 1):
    value = evaluator.evaluate(f'one!Z{place}')
    print(f'={formula}: xlcalculator {getattr(value, "value", value)!s}, hyperformula {right[place - 1]}')
PY
echo "xlcalculator $(env/bin/python -c "import importlib.metadata as m; print(m.version('xlcalculator'))")"
env/bin/python run.py | tee out
diff out - <<'END'
="Total: "&10/2: xlcalculator Total: 5.0, hyperformula Total: 5
="Total: "&A4/A1: xlcalculator Total: 4.0, hyperformula Total: 4
=CONCATENATE("n",A4/A2): xlcalculator n2.0, hyperformula n2
=IF("a"&A4/A2="a2","yes","no"): xlcalculator no, hyperformula yes
="is "&(A1=1): xlcalculator is True, hyperformula is TRUE
=AVERAGE(A1:A4): xlcalculator #VALUE!, hyperformula 2.3333333333
=SUM(A1:A4)/COUNT(A1:A4): xlcalculator 2.3333333333333335, hyperformula 2.3333333333
=A3+1: xlcalculator #VALUE!, hyperformula 1
=SUM(C1:C2): xlcalculator 12, hyperformula 7
=AVERAGE(C1:C2): xlcalculator 6.0, hyperformula 7
=COUNTIF(B1:B4,"p*"): xlcalculator 0, hyperformula 3
=COUNTIF(B1:B4,"pen"): xlcalculator 2, hyperformula 2
=MATCH("c*",B1:B4,0): xlcalculator #N/A, hyperformula #N/A
=ISTEXT(A3): xlcalculator True, hyperformula False
=TRIM(" a   b "): xlcalculator a   b, hyperformula a b
=A1&A3&A4: xlcalculator 14, hyperformula 14
END
