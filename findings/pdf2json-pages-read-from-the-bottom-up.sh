#!/usr/bin/env bash
# pdf2json 4.1.0 (npm), some million downloads a month, which gives the text of a PDF: getRawTextContent() of a parser that was made for it, as its guide shows; unpdf 1.7.0 (npm) reads the same files.
# Behaviour: the lines of each page come from the bottom to the top: the last line of a page is the first of the text, and a table begins with its sum and ends with its head. The pages themselves are in
# order. It is so with files of three writers (here reportlab 5.1.0, fpdf2 2.8.9 and PyMuPDF 1.28.2, PyPI). In the structured answer the y of the texts grows down the page, as it should.
# Seen:   line 3 / line 2 / line 1, then page 2: line 6 / line 5 / line 4; unpdf: line 1 .. line 6
# Most would guess: from top to bottom.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund pdf2json@4.1.0 unpdf@1.7.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check reportlab==5.1.0 fpdf2==2.8.9 pymupdf==1.28.2
cat > make.py <<'PY'
import fpdf
import pymupdf
from reportlab.pdfgen import canvas

drawn = canvas.Canvas('reportlab.pdf')
written = fpdf.FPDF()
written.set_font('Helvetica', size=12)
inserted = pymupdf.open()
for page in range(2):
    written.add_page()
    sheet = inserted.new_page()
    for line in range(1, 4):
        text = f'line {page * 3 + line}'
        drawn.drawString(72, 800 - 20 * line, text)
        written.cell(60, 10, text, new_x='LMARGIN', new_y='NEXT')
        sheet.insert_text((72, 40 + 20 * line), text)
    drawn.showPage()
drawn.save()
written.output('fpdf2.pdf')
inserted.save('pymupdf.pdf')
PY
cat > run.mjs <<'JS'
import PDFParser from 'pdf2json';
for (const name of ['reportlab', 'fpdf2', 'pymupdf']) {
  await new Promise((done) => {
    const parser = new PDFParser(null, 1);
    parser.on('pdfParser_dataReady', (data) => {
      console.log(`${name}: ${parser.getRawTextContent().split(/\r?\n/).map((line) => line.trim()).filter(Boolean).join(' / ')}`);
      console.log(`    texts of page 1: ${data.Pages[0].Texts.map((text) => decodeURIComponent(text.R[0].T)).join(' / ')}`);
      done();
    });
    parser.loadPDF(name + '.pdf');
  });
}
JS
cat > other.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { extractText, getDocumentProxy } from 'unpdf';
for (const name of ['reportlab', 'fpdf2', 'pymupdf']) {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(readFileSync(name + '.pdf'))));
  console.log(`unpdf, ${name}: ${text.join(' / ').replace(/\n/g, ' / ')}`);
}
JS
echo "pdf2json $(node -p "JSON.parse(require('fs').readFileSync('node_modules/pdf2json/package.json')).version")"
env/bin/python make.py
{ node run.mjs; node other.mjs; } 2> /dev/null | grep -v '^Warning' | tee out
diff out - <<'END'
reportlab: line 3 / line 2 / line 1 / ----------------Page (0) Break---------------- / line 6 / line 5 / line 4 / ----------------Page (1) Break----------------
    texts of page 1: line 1 / line 2 / line 3
fpdf2: line 3 / line 2 / line 1 / ----------------Page (0) Break---------------- / line 6 / line 5 / line 4 / ----------------Page (1) Break----------------
    texts of page 1: line 1 / line 2 / line 3
pymupdf: line 3 / line 2 / line 1 / ----------------Page (0) Break---------------- / line 6 / line 5 / line 4 / ----------------Page (1) Break----------------
    texts of page 1: line 1 / line 2 / line 3
unpdf, reportlab: line 1 / line 2 / line 3 / line 4 / line 5 / line 6
unpdf, fpdf2: line 1 / line 2 / line 3 / line 4 / line 5 / line 6
unpdf, pymupdf: line 1 / line 2 / line 3 / line 4 / line 5 / line 6
END
