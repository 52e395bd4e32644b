#!/usr/bin/env bash
# pylatexenc 2.11 (PyPI), LatexNodes2Text().latex_to_text(text), which makes plain text of LaTeX for search and for models, default settings.
# Behaviour: what stands in \texttt, \verb and a verbatim environment is left out without a trace; so are words in \underline, \mbox and \textsf. A fraction written \tfrac or \dfrac becomes its two numbers side by side, a binomial too, and "mod" goes.
# A quantity of siunitx keeps its number and loses its unit, and an address in \url ends at the first percent sign.
# Seen:   run \texttt{make test} now: "run  now" / \tfrac{3}{4}: 34, \frac{3}{4}: 3/4 / \SI{5}{\kilo\metre}: 5 / \url{http://a.example/b%20c}: <http://a.example/b>
# Expected by most: the code, 3/4, 5 km or at least something that shows the unit, the whole address.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pylatexenc==2.11
cat > run.py <<'PY'
import logging
from pylatexenc.latex2text import LatexNodes2Text

logging.disable(logging.CRITICAL)
for text in [
    r'run \verb|make test| now',
    'as in\n\\begin{verbatim}\nx = 1\n\\end{verbatim}\nhere',
    r'run \texttt{make test} now',
    r'\underline{not} \mbox{in} \textsf{all} \textbf{cases}',
    r'$\frac{3}{4}$ and $\tfrac{3}{4}$ and $\dfrac{3}{4}$',
    r'$\binom{10}{2}$ ways',
    r'$a \mod b$, $a \bmod b$',
    r'\SI{5}{\kilo\metre} and \qty{5}{\kilo\metre}',
    r'see \url{http://a.example/b%20c} here',
    r'50\% of \$5',
]:
    print(repr(text), '->', repr(LatexNodes2Text().latex_to_text(text)))
PY
env/bin/python -c "import importlib.metadata as m; print('pylatexenc', m.version('pylatexenc'))"
env/bin/python run.py | tee out
diff out - <<'END'
'run \\verb|make test| now' -> 'run  now'
'as in\n\\begin{verbatim}\nx = 1\n\\end{verbatim}\nhere' -> 'as in\n\nhere'
'run \\texttt{make test} now' -> 'run  now'
'\\underline{not} \\mbox{in} \\textsf{all} \\textbf{cases}' -> 'not   cases'
'$\\frac{3}{4}$ and $\\tfrac{3}{4}$ and $\\dfrac{3}{4}$' -> '3/4 and 34 and 34'
'$\\binom{10}{2}$ ways' -> '102 ways'
'$a \\mod b$, $a \\bmod b$' -> 'a  b, a  b'
'\\SI{5}{\\kilo\\metre} and \\qty{5}{\\kilo\\metre}' -> '5 and 5'
'see \\url{http://a.example/b%20c} here' -> 'see <http://a.example/b>'
'50\\% of \\$5' -> '50% of $5'
END
