#!/usr/bin/env bash
# csv2ofx 0.34.2 writes; ofxtools 1.1.1, ofxparse 0.21 and ofx-br 0.1.0 read (all PyPI).
# Behaviour: the file has no OFXHEADER line and a number of the bank with 32 letters, so ofxtools and ofxparse do not read it, the second with "list index out of range".
# A reader that takes it gets names with pieces of XML: & is written as "&amp" and < as "&lt", without the semicolon. Two payments that are alike (two tickets on one day) have one FITID,
# which is the key by which importers drop what they have already: one of the two goes. A day above 12 turns the order of day and month for its own line only.
# Seen:   A & B <x> -> A &amp B &ltx&gt / two tickets of 4.00: one id, 1 of 2 stays / 02/03 and 13/02 of one file: 3 February and 13 February
# Expected by most: a file that OFX readers open, with the names and all payments.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check csv2ofx==0.34.2 ofxtools==1.1.1 ofxparse==0.21 ofx-br==0.1.0
cat > bank.csv <<'CSV'
Row,Date,Account,Description,Reference,Notes,Num,Amount
,02/03/2026,Giro,A & B <x>,Coffee & tea,,000123,-12.50
,02/03/2026,Giro,Tram,Ticket,,,-4.00
,02/03/2026,Giro,Tram,Ticket,,,-4.00
,13/02/2026,Giro,Boss,Pay,,,1234.56
CSV
env/bin/csv2ofx bank.csv bank.ofx > /dev/null
cat > run.py <<'PY'
import importlib.metadata
import sys
import warnings
import ofxbr
from ofxparse import OfxParser
from ofxtools.Parser import OFXTree
warnings.simplefilter('ignore')
print('csv2ofx', importlib.metadata.version('csv2ofx'), file=sys.stderr)
print(''.join(open('bank.ofx').readlines()[:3]), end='')
for name, read in [('ofxtools', lambda: OFXTree().parse('bank.ofx')), ('ofxparse', lambda: OfxParser.parse(open('bank.ofx', 'rb')))]:
    try:
        read()
        print(name, 'reads it')
    except Exception as error:
        print(f'{name}: {type(error).__name__}')
payments = ofxbr.parse('bank.ofx').transactions
for payment in payments:
    print('ofx-br:', payment.posted_at.date(), payment.amount, payment.payee, '|', payment.memo)
print(len(payments), 'payments,', len({payment.fitid for payment in payments}), 'ids')
PY
env/bin/python run.py | tee out
diff out - <<'END'
DATA:OFXSGML
ENCODING:UTF-8
<OFX>
ofxtools: OFXHeaderError
ofxparse: IndexError
ofx-br: 2026-02-03 -12.50 A &amp B &ltx&gt | Coffee &amp tea
ofx-br: 2026-02-03 -4.00 Tram | Ticket
ofx-br: 2026-02-03 -4.00 Tram | Ticket
ofx-br: 2026-02-13 1234.56 Boss | Pay
4 payments, 3 ids
END
