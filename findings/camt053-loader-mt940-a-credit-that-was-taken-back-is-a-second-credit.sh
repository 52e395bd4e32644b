#!/usr/bin/env bash
# camt053-loader-mt940 0.0.23 with camt053 0.0.23 (PyPI): MT940 statements become the document that camt.053 files give.
# Behaviour: RC in line :61: means that a credit was reversed, so money leaves the account; camt.053 writes this as DBIT with RvslInd. Here it is CRDT with the
# mark of a reversal (and RD is DBIT). Summed by the direction, the entries are far from the difference of the balances, which nobody compares.
# A line of further details below :61: is glued to the bank's reference without a space, and entries have no currency.
# Seen:   1000 + 500 - 500 (RC) - 100 = 900 by the bank; entries: CRDT 500, CRDT 500, DBIT 100, sum +900 instead of -100 / reference "CREF3Order of May"
# Expected by most: RC is DBIT; the entries lead from the opening to the closing balance.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check camt053==0.0.23 camt053-loader-mt940==0.0.23
cat > run.py <<'PY'
import importlib.metadata
import sys
from decimal import Decimal
from camt053_loader_mt940 import parse_mt940

print('camt053-loader-mt940', importlib.metadata.version('camt053-loader-mt940'), file=sys.stderr)
TEXT = ''':20:STMT-1
:25:COBADEFFXXX/DE89370400440532013000
:28C:42/1
:60F:C260601EUR1000,00
:61:2606020602C500,00NTRFREF1//CREF1
:86:Invoice 123
:61:2606030603RC500,00NRTIREF2//CREF2
:86:Invoice 123 taken back
:61:2606040604D100,00NTRFREF3//CREF3
Order of May
:86:Rent
:62F:C260604EUR900,00
'''
statement = parse_mt940(TEXT).statements[0]
sign = {'CRDT': 1, 'DBIT': -1}
for entry in statement.entries:
    print(entry.reference, entry.credit_debit_indicator, entry.amount, 'reversal', entry.reversal_indicator,
          'currency', entry.currency, 'bank reference', entry.account_servicer_ref)
first, last = [Decimal(b.amount) * sign[b.credit_debit_indicator] for b in statement.balances]
print('balances:', last - first)
print('entries:', sum(Decimal(e.amount) * sign[e.credit_debit_indicator] for e in statement.entries))
PY
env/bin/python run.py | tee out
diff out - <<'END'
REF1 CRDT 500.00 reversal False currency None bank reference CREF1
REF2 CRDT 500.00 reversal True currency None bank reference CREF2
REF3 DBIT 100.00 reversal False currency None bank reference CREF3Order of May
balances: -100.00
entries: 900.00
END
