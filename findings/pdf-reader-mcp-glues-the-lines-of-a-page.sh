#!/usr/bin/env bash
# npm @sylphx/pdf-reader-mcp 2.4.0, an MCP server that reads PDF files, asked over stdio; reportlab 5.1.0 (PyPI) writes a page of seven lines.
# Behaviour: the result's JSON has the page's text in "full_text" or "page_texts", with nothing at all between its lines. Figures one below the other become one figure: 100, 250 and 7.50 are "1002507.50",
# "Sum 357.50" before "2 items" is "Sum 357.502 items", and words of neighbouring lines are one word. The same answer holds the page a second time behind the JSON, there with its lines.
# A cell without a value is not there, so of "Nut" with nothing in 2024 and 7 in 2025 one reads "Nut 7"; only include_tables, which is off by default, leaves the cell free.
# Seen:   full_text "Report1002507.50Sum 357.502 itemsin stock" / second block of the same answer: seven lines
# Expected by most: a line break between lines, in both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @sylphx/pdf-reader-mcp@2.4.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check reportlab==5.1.0
cat > make.py <<'PY'
from reportlab.pdfgen import canvas

page = canvas.Canvas('page.pdf')
for number, line in enumerate(['Report', '100', '250', '7.50', 'Sum 357.50', '2 items', 'in stock']):
    page.drawString(72, 700 - 20 * number, line)
page.showPage()
page.drawString(72, 700, 'Sales of two years in pieces')
for row, cells in enumerate([('Item', '2024', '2025'), ('Bolt', '5', '6'), ('Nut', '', '7')]):
    for column, cell in enumerate(cells):
        page.drawString(72 + 120 * column, 660 - 20 * row, cell)
page.save()
PY
env/bin/python make.py
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const server = spawn('node_modules/.bin/pdf-reader-mcp', [], { stdio: ['pipe', 'pipe', 'ignore'] });
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
const read = async (values) => (await ask('tools/call', { name: 'read_pdf', arguments: values })).content.map(({ text }) => text);
const path = `${process.cwd()}/page.pdf`;
const [json, first] = await read({ sources: [{ path }], include_full_text: true });
console.log('full_text', JSON.stringify(JSON.parse(json).results[0].data.full_text));
console.log('second block', JSON.stringify(first));
const [pages] = await read({ sources: [{ path, pages: [1] }] });
console.log('page_texts', JSON.stringify(JSON.parse(pages).results[0].data.page_texts[0].text));
const tables = (await read({ sources: [{ path, pages: [2] }], include_tables: true })).at(-1);
console.log('table', JSON.stringify(tables.split('\n').filter((line) => line.startsWith('|'))));
server.kill();
process.exit(0);
JS
echo "@sylphx/pdf-reader-mcp $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@sylphx/pdf-reader-mcp/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
full_text "Report1002507.50Sum 357.502 itemsin stock\n\nSales of two years in piecesItem 2024 2025Bolt 5 6Nut 7"
second block "[Page 1]\nReport\n100\n250\n7.50\nSum 357.50\n2 items\nin stock"
page_texts "Report1002507.50Sum 357.502 itemsin stock"
table ["| Item | 2024 | 2025 |","| --- | --- | --- |","| Bolt | 5 | 6 |","| Nut |   | 7 |"]
END
