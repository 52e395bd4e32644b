#!/usr/bin/env bash
# striprtf 0.0.35 (PyPI), rtf_to_text with its default settings.
# Behaviour: words that are marked as deleted stay in the text, right before the words that replace them: a fee that was changed from 500 to 700
# euro reads as 500700. Hidden words are shown too. The text of a footnote and of a comment is left out without a mark, and so is the number
# of a list item that an older writer has put down ("pntext"); the same number in "listtext" is kept.
# Seen:   The fee is 500700 euro. / For adults draft only use. / Dose 5 mg daily. / First, Second / 3. Third
# Expected by most: the text as a reader of the document sees it: 700 euro, no hidden words, the footnote somewhere.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check striprtf==0.0.35
cat > read.py <<'PY'
import importlib.metadata
from striprtf.striprtf import rtf_to_text

print('striprtf', importlib.metadata.version('striprtf'))
for body in [
    r'The fee is {\deleted 500}{\revised 700} euro.\par',
    r'For adults {\v draft only }use.\par',
    r'Dose 5 mg{\footnote Not for children.} daily.\par',
    r'Price agreed.{\annotation Not yet!} Signed.\par',
    r'{\pntext 1.\tab}First\par {\pntext 2.\tab}Second\par',
    r'{\listtext 3.\tab}Third\par',
]:
    print(repr(rtf_to_text(r'{\rtf1\ansi ' + body + '}')))
PY
env/bin/python read.py | tee out
diff out - <<'END'
striprtf 0.0.35
'The fee is 500700 euro.\n'
'For adults draft only use.\n'
'Dose 5 mg daily.\n'
'Price agreed. Signed.\n'
'First\nSecond\n'
'3.\tThird\n'
END
