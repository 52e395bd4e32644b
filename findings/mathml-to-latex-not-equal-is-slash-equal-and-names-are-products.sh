#!/usr/bin/env bash
# mathml-to-latex 1.8.0 (npm) reads the MathML that latex2mathml 3.81.1 (PyPI) made of LaTeX, and MathML of a browser's editor, both with default settings.
# Behaviour: "is not equal", written \not= in the source, comes back as "/ =". Names of functions come back as single letters (sin, log, max, lim, rank), which LaTeX sets as products. A word in roman type as an index,
# the mark of a quantity (x_{\mathrm{max}}), becomes m times a times x; text with an underscore becomes an index of its own; a thousand gets blanks around its comma, and bold by mstyle is lost. No warning.
# Seen:   a\not=b: a / = b / \log_2 x: log_{2} x / x_{\mathrm{max}}: x_{m a x} / <mtext>max_len</mtext>: \text{max}_\text{len} / 1,234.5: 1 , 234.5
# Expected by most: a \neq b, \log_{2} x, x_{\mathrm{max}}, \text{max\_len}, 1,234.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mathml-to-latex@1.8.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check latex2mathml==3.81.1
cat > make.py <<'PY'
import json
from latex2mathml.converter import convert
sources = [r'\frac{1}{2}x^2', r'a\not=b', r'a\neq b', r'\log_2 x', r'\sin^2 x', r'\lim_{x \to 0} x', r'\operatorname{rank} A', r'x_{\mathrm{max}}', '1,234.5']
print(json.dumps([[source, convert(source)] for source in sources]))
PY
env/bin/python make.py > made.json
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { MathMLToLaTeX } from 'mathml-to-latex';
for (const [source, mathml] of JSON.parse(readFileSync('made.json', 'utf8'))) console.log(`${source}: ${MathMLToLaTeX.convert(mathml)}`);
for (const inner of ['<mi>sin</mi><mi>x</mi>', '<mi>x</mi><mo>≠</mo><mi>y</mi>', '<mi>x</mi><mo>≱</mo><mi>y</mi>', '<mtext>max_len</mtext>', '<mstyle mathvariant="bold"><mi>v</mi></mstyle>']) {
  console.log(`${inner}: ${MathMLToLaTeX.convert(`<math>${inner}</math>`)}`);
}
JS
{
  echo "mathml-to-latex $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mathml-to-latex/package.json')).version") latex2mathml $(env/bin/python -c "import importlib.metadata as m; print(m.version('latex2mathml'))")"
  node run.mjs
} | tee out
diff out - <<'END'
mathml-to-latex 1.8.0 latex2mathml 3.81.1
\frac{1}{2}x^2: \frac{1}{2} x^{2}
a\not=b: a / = b
a\neq b: a \neq b
\log_2 x: log_{2} x
\sin^2 x: sin^{2} x
\lim_{x \to 0} x: lim_{x \rightarrow 0} x
\operatorname{rank} A: rank A
x_{\mathrm{max}}: x_{m a x}
1,234.5: 1 , 234.5
<mi>sin</mi><mi>x</mi>: sin x
<mi>x</mi><mo>≠</mo><mi>y</mi>: x \neq y
<mi>x</mi><mo>≱</mo><mi>y</mi>: x \geq/ y
<mtext>max_len</mtext>: \text{max}_\text{len}
<mstyle mathvariant="bold"><mi>v</mi></mstyle>: v
END
