#!/usr/bin/env bash
# lasio 0.32 (PyPI): logs of boreholes (LAS 2.0), read and write.
# Behaviour: gaps are -999.25 in the file, nan when read and -999.25 again when written. With one column of words (a rock) all gaps are written as "nan", while the head still says NULL. -999.25;
# a gap in the column of words stays the text "-999.25". The words are tried as numbers first: a sample "007" is written as 7.0 and "1.10" as 1.1, even beside "A08".
# A file of numbers only comes back as it was, so a test with such a file shows nothing.
# Seen:   100.5 -999.25 SHALE -> 100.5 nan SHALE / samples 007, A08, 1.10 -> 7.0, A08, 1.1
# Expected by most: -999.25 for each gap; the words as they were.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check lasio==0.32 numpy==2.4.6
cat > run.py <<'PY'
import importlib.metadata
import io
import logging
import sys
import lasio

logging.disable(logging.CRITICAL)
print('lasio', importlib.metadata.version('lasio'), file=sys.stderr)
HEAD = '''~Version
 VERS.   2.0 : CWLS
 WRAP.   NO  : ONE LINE
~Well
 STRT.M  100.0 : START
 STOP.M  101.0 : STOP
 STEP.M  0.5   : STEP
 NULL.   -999.25 : NULL
~Curve
 DEPT.M  : DEPTH
 GR.GAPI : GAMMA
 X.      : THIRD
~ASCII
'''
for title, lines in [('numbers', ['100.0 55.1 -999.25', '100.5 -999.25 60', '101.0 57 9']), ('rocks', ['100.0 55.1 SAND', '100.5 -999.25 SHALE', '101.0 57 -999.25']),
                     ('samples', ['100.0 55.1 007', '100.5 -999.25 A08', '101.0 57 1.10'])]:
    log = lasio.read(HEAD + '\n'.join(lines) + '\n')
    text = io.StringIO()
    log.write(text, version=2.0)
    head, data = text.getvalue().split('~ASCII')
    print(title, '| NULL in the head:', next(line.split()[1] for line in head.splitlines() if line.startswith('NULL')))
    for before, after in zip(lines, data.splitlines()[1:]):
        print('  ', before, '->', ' '.join(after.split()))
    print('   third column as read:', [str(value) for value in log['X']])
PY
env/bin/python run.py | tee out
diff out - <<'END'
numbers | NULL in the head: -999.25
   100.0 55.1 -999.25 -> 100.00000 55.10000 -999.25
   100.5 -999.25 60 -> 100.50000 -999.25 60.00000
   101.0 57 9 -> 101.00000 57.00000 9.00000
   third column as read: ['nan', '60.0', '9.0']
rocks | NULL in the head: -999.25
   100.0 55.1 SAND -> 100.0 55.1 SAND
   100.5 -999.25 SHALE -> 100.5 nan SHALE
   101.0 57 -999.25 -> 101.0 57.0 -999.25
   third column as read: ['SAND', 'SHALE', '-999.25']
samples | NULL in the head: -999.25
   100.0 55.1 007 -> 100.0 55.1 7.0
   100.5 -999.25 A08 -> 100.5 nan A08
   101.0 57 1.10 -> 101.0 57.0 1.1
   third column as read: ['7.0', 'A08', '1.1']
END
