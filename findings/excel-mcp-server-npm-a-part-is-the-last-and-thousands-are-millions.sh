#!/usr/bin/env bash
# npm @negokaz/excel-mcp-server 0.12.0, an MCP server for workbooks (its Go library excelize is inside), asked over stdio; openpyxl 3.1.5 (PyPI) writes the workbook.
# Behaviour: a read of the first 400 of 2,000 rows ends with "This is the last range or no more ranges available", and so does each range that a model chooses itself.
# Only the ranges of the server's own division (500 rows here) name a next one. Number formats that Excel shows in thousands or millions are
# shown unscaled with the unit behind it: 1234567 with the format #,##0,"K" is 1,234,567K (Excel: 1,235K), with 0.0,,"M" it is 1,234,567.0,M (Excel: 1.2M). Ids of 16 digits lose their end.
# Seen:   A1:H400 of 2,000 rows: last range / A1:H500: more ranges / 1234567 in thousands: 1,234,567K / 9007199254740991: 9.00719925474099E+15
# Expected by most: more ranges as long as rows are left; 1,235K, or the number itself.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @negokaz/excel-mcp-server@0.12.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check openpyxl==3.1.5
cat > make.py <<'PY'
import openpyxl

book = openpyxl.Workbook()
sheet = book.active
sheet.title = 'Rows'
for row in range(1, 2001):
    sheet.append([row] + [row * 10 + column for column in range(1, 8)])
formats = book.create_sheet('Formats')
for row, (value, code) in enumerate([(1234567, '#,##0,"K"'), (1234567, '0.0,,"M"'), (1234567, '#,##0,'), (1234.5, '#,##0.00'), (9007199254740991, 'General')], 1):
    formats.cell(row, 1, value).number_format = code
    formats.cell(row, 2, code)
book.save('book.xlsx')
PY
env/bin/python make.py
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const server = spawn('node_modules/.bin/excel-mcp-server', [], { stdio: ['pipe', 'pipe', 'ignore'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }) + '\n');
  for (;;) {
    const answer = JSON.parse((await lines.next()).value);
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const read = async (values) => (await ask('tools/call', { name: 'excel_read_sheet', arguments: { fileAbsolutePath: `${process.cwd()}/book.xlsx`, ...values } })).content[0].text;
for (const range of [undefined, 'A1:H500', 'A1:H400', 'A1:H1000', 'A1:A10', 'A1501:H2000']) {
  const text = await read({ sheetName: 'Rows', range });
  console.log(`${range ?? 'no range'}: ${text.match(/<tr><th>\d+<\/th>/g).length} rows, ${text.match(/<h2>Notice<\/h2>\s*<p>(.*?)<\/p>/)[1]}`);
}
for (const [, shown, code] of (await read({ sheetName: 'Formats' })).matchAll(/<td>(.*?)<\/td><td>(.*?)<\/td>/g)) console.log(`${code.replaceAll('&#34;', '"')}: ${shown}`);
server.kill();
process.exit(0);
JS
echo "@negokaz/excel-mcp-server $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@negokaz/excel-mcp-server/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
no range: 500 rows, This sheet has more ranges.
A1:H500: 500 rows, This sheet has more ranges.
A1:H400: 400 rows, This is the last range or no more ranges available.
A1:H1000: 1000 rows, This is the last range or no more ranges available.
A1:A10: 10 rows, This is the last range or no more ranges available.
A1501:H2000: 500 rows, This is the last range or no more ranges available.
#,##0,"K": 1,234,567K
0.0,,"M": 1,234,567.0,M
#,##0,: 1,234,567
#,##0.00: 1,234.50
General: 9.00719925474099E+15
END
