#!/usr/bin/env bash
# rispy 0.10.0 (PyPI), which reads and writes RIS, the format in which journals and catalogues give references; loads and dumps as they are.
# Behaviour: a tag that the library does not count among its lists keeps its first value; each further one is dropped without a word. Authors, keywords, notes
# and links are lists. ISSN (SN, given for print and for online), addresses (AD), languages, identifiers, attached files (L1) and titles of the series are not.
# A tag that it does not know keeps all values. What is written again has only the first.
# Seen:   SN 1234-5678 and 8765-4321: issn '1234-5678' / AD Uni A and Uni B: author_address 'Uni A' / ZZ one and two: both
# Expected by most: all values, in one text or in a list; no tag of the file is gone after it is written again.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rispy==0.10.0
cat > run.py <<'PY'
import importlib.metadata
import rispy

print('rispy', importlib.metadata.version('rispy'))
source = '''TY  - JOUR
AU  - Smith, J.
AU  - Doe, A.
TI  - On things
SN  - 1234-5678
SN  - 8765-4321
AD  - University A
AD  - University B
LA  - English
LA  - German
L1  - first.pdf
L1  - second.pdf
T2  - Journal of Things
T2  - Special issue on things
KW  - one
KW  - two
ZZ  - own
ZZ  - other
ER  - 
'''
entry = rispy.loads(source)[0]
for key, value in entry.items():
    print(f'{key}: {dict(value) if key == "unknown_tag" else value}')
written = rispy.dumps([entry])
print('lines that are gone:')
for line in source.splitlines():
    if line not in written:
        print(' ', line)
PY
env/bin/python run.py | tee out
diff out - <<'END'
rispy 0.10.0
type_of_reference: JOUR
authors: ['Smith, J.', 'Doe, A.']
title: On things
issn: 1234-5678
author_address: University A
language: English
file_attachments1: first.pdf
secondary_title: Journal of Things
keywords: ['one', 'two']
unknown_tag: {'ZZ': ['own', 'other']}
lines that are gone:
  SN  - 8765-4321
  AD  - University B
  LA  - German
  L1  - second.pdf
  T2  - Special issue on things
END
