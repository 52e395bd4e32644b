#!/usr/bin/env bash
# fast-formula-parser 1.0.19 (npm), a parser and calculator of Excel formulas.
# Behaviour: EDATE of 31 January and one month is 3 March. Texts are compared with their capitals, so "a"="A" is false and VLOOKUP does not find APPLE as apple.
# An empty cell is equal to 0 and not to "". ROUNDUP of 1.1 to one place is 1.2. WEEKNUM gives the second week the number of the first.
# TRIM keeps the blanks between words. No error in any of them.
# Seen:   2025-03-03 / false / not found / false / 1.2 / week 1 / three blanks
# Expected by most: as Excel: 2025-02-28 / TRUE / 20 / TRUE / 1.1 / week 2 / one blank
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fast-formula-parser@1.0.19
cat > run.cjs <<'JS'
const FormulaParser = require('fast-formula-parser');
const rows = [['pear', 10], ['apple', 20], [null, 30]];
const parser = new FormulaParser({
  onCell: ({ row, col }) => rows[row - 1]?.[col - 1] ?? null,
  onRange: ({ from, to }) => rows.slice(from.row - 1, to.row).map((row) => row.slice(from.col - 1, to.col)),
});
console.log('fast-formula-parser', require('fast-formula-parser/package.json').version);
for (const formula of ['TEXT(EDATE(DATE(2025,1,31),1),"yyyy-mm-dd")', 'TEXT(EOMONTH(DATE(2025,1,31),1),"yyyy-mm-dd")', '"a"="A"', 'VLOOKUP("APPLE",A1:B3,2,FALSE)',
  'VLOOKUP("apple",A1:B3,2,FALSE)', 'A3=0', 'A3=""', 'ROUNDUP(1.1,1)', 'ROUND(1.1,1)', 'WEEKNUM(DATE(2025,1,5))', 'WEEKNUM(DATE(2025,1,1))',
  'TRIM("  a   b ")', 'REPT("ab",2.9)'])
  console.log(formula + ': ' + String(parser.parse(formula, { row: 9, col: 9, sheet: 'one' })));
JS
node run.cjs | tee out
diff out - <<'END'
fast-formula-parser 1.0.19
TEXT(EDATE(DATE(2025,1,31),1),"yyyy-mm-dd"): 2025-03-03
TEXT(EOMONTH(DATE(2025,1,31),1),"yyyy-mm-dd"): 2025-02-28
"a"="A": false
VLOOKUP("APPLE",A1:B3,2,FALSE): #N/A
VLOOKUP("apple",A1:B3,2,FALSE): 20
A3=0: true
A3="": false
ROUNDUP(1.1,1): 1.2
ROUND(1.1,1): 1.1
WEEKNUM(DATE(2025,1,5)): 1
WEEKNUM(DATE(2025,1,1)): 1
TRIM("  a   b "): a   b
REPT("ab",2.9): ababab
END
