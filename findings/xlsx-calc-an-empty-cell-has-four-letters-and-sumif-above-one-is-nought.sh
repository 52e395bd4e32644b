#!/usr/bin/env bash
# xlsx-calc 0.9.2 (npm), figures the formulas of workbooks of SheetJS; hyperformula 3.1.0 figures the same ones.
# Behaviour: LEN of an empty cell is 4, the letters of "null". SUMIF counts only those that are equal: ">1" gives 0, and of two pens in one column only the first counts. ROUND(-2.5) is -2.
# SUM and AVERAGE take texts of digits for numbers and blanks for noughts, MAX of words is a word and TRIM leaves the blanks between words.
# Seen:   LEN(D1)=4, SUMIF(A1:A4,">1")=0, SUMIF(B1:B4,"pen",A1:A4)=1, ROUND(-2.5,0)=-2, AVERAGE(A1:D1)=0.67
# Expected by most: 0, 9, 4, -3, 1, as in Excel.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts xlsx-calc@0.9.2 hyperformula@3.1.0 2> /dev/null
cat > run.cjs <<'JS'
const calculate = require('xlsx-calc');
const { HyperFormula } = require('hyperformula');
const rows = [[1, 'pen', "'01"], [2, 'cup'], [3, 'pen'], [4, 'bag']];
for (const formula of [
  'SUM(A1:A4)', 'LEN(D1)', 'IF(LEN(D1)>0,"filled","empty")', 'SUMIF(A1:A4,">1")', 'SUMIF(B1:B4,"pen",A1:A4)', 'SUMIF(B1:B4,"<>pen",A1:A4)', 'ROUND(-2.5,0)', 'ROUND(2.5,0)',
  'AVERAGE(A1:D1)', 'SUM(A1:C1)', 'MAX(B1:B4)', 'TRIM(" a   b ")', 'MATCH("p*",B1:B4,0)',
]) {
  const sheet = { '!ref': 'A1:F9', F9: { f: formula } };
  rows.forEach((row, down) => row.forEach((v, right) => { sheet['ABC'[right] + (down + 1)] = typeof v === 'number' ? { t: 'n', v } : { t: 's', v: v.replace("'", '') }; }));
  calculate({ SheetNames: ['one'], Sheets: { one: sheet } });
  const other = HyperFormula.buildFromArray([...rows, [], [], [], [], [null, null, null, null, null, '=' + formula]], { licenseKey: 'gpl-v3', useWildcards: true });
  const right = other.getCellValue({ sheet: 0, row: 8, col: 5 });
  console.log(`=${formula}: xlsx-calc ${JSON.stringify(sheet.F9.w ?? sheet.F9.v)}, hyperformula ${JSON.stringify(right?.value ?? right)}`);
}
JS
echo "xlsx-calc $(node -p "JSON.parse(require('fs').readFileSync('node_modules/xlsx-calc/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
=SUM(A1:A4): xlsx-calc 10, hyperformula 10
=LEN(D1): xlsx-calc 4, hyperformula 0
=IF(LEN(D1)>0,"filled","empty"): xlsx-calc "filled", hyperformula "empty"
=SUMIF(A1:A4,">1"): xlsx-calc 0, hyperformula 9
=SUMIF(B1:B4,"pen",A1:A4): xlsx-calc 1, hyperformula 4
=SUMIF(B1:B4,"<>pen",A1:A4): xlsx-calc 0, hyperformula 6
=ROUND(-2.5,0): xlsx-calc -2, hyperformula -3
=ROUND(2.5,0): xlsx-calc 3, hyperformula 3
=AVERAGE(A1:D1): xlsx-calc 0.6666666666666666, hyperformula 1
=SUM(A1:C1): xlsx-calc 2, hyperformula 1
=MAX(B1:B4): xlsx-calc "pen", hyperformula 0
=TRIM(" a   b "): xlsx-calc "a   b", hyperformula "a b"
=MATCH("p*",B1:B4,0): xlsx-calc "#N/A", hyperformula "#N/A"
END
