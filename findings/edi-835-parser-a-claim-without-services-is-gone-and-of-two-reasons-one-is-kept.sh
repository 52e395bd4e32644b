#!/usr/bin/env bash
# edi-835-parser 1.8.0 (PyPI): payments of health insurers (EDI 835) as a table, to_dataframe.
# Behaviour: the table has a row for each service, so a claim that was denied as a whole, without service lines, is not in it at all. Its adjustments, like all that stand on the claim, are dropped
# with a warning. One CAS segment may hold several reasons with their amounts: of these the first is kept. So charge minus adjustments is not what was paid.
# The sums that the insurer takes back (PLB) are dropped too.
# Seen:   CAS*CO*45*19.50**253*5 -> 45: 19.5 only; 120 - 19.5 - 15 = 85.5, paid 80.5 / claim PAT3 (denied, 75.00): no row
# Expected by most: both reasons; a row for the denied claim.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check edi-835-parser==1.8.0 pandas==2.3.3
cat > run.py <<'PY'
import importlib.metadata
import sys
import warnings
from edi_835_parser import parse

print('edi-835-parser', importlib.metadata.version('edi-835-parser'), file=sys.stderr)
SEGMENTS = ['ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260101*1200*^*00501*000000001*0*P*:', 'GS*HP*S*R*20260101*1200*1*X*005010X221A1',
            'ST*835*0001', 'BPR*I*60.50*C*CHK************20260105', 'TRN*1*12345*1512345678', 'DTM*405*20260104', 'N1*PR*INSURER', 'N3*1 ST', 'N4*TOWN*CA*90001',
            'N1*PE*CLINIC*XX*1234567893', 'LX*1',
            'CLP*PAT1*1*200*120.50*15*12*CLM1*11*1', 'NM1*QC*1*DOE*JOHN', 'DTM*232*20251201',
            'SVC*HC:99213:25*120*80.50**1', 'DTM*472*20251201', 'CAS*CO*45*19.50**253*5', 'CAS*PR*3*15',
            'SVC*HC:80053*80*40**2', 'DTM*472*20251202', 'CAS*CO*45*40',
            'CLP*PAT2*1*50*50**12*CLM2*11*1', 'CAS*OA*23*0', 'NM1*QC*1*ROE*ANN', 'SVC*HC:99212*50*50', 'DTM*472*20251110',
            'CLP*PAT3*4*75*0**12*CLM3*11*1', 'CAS*CO*16*75', 'NM1*QC*1*POE*TIM',
            'PLB*1234567893*20261231*WO:CLM9*110', 'SE*28*0001', 'GE*1*1', 'IEA*1*000000001']
with open('payment.835', 'w') as file:
    file.write('~\n'.join(SEGMENTS) + '~\n')
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter('always')
    table = parse('payment.835').to_dataframe()
print('warnings:', sorted({str(item.message) for item in said if 'Identifier' in str(item.message)}))
for _, row in table.iterrows():
    found = [(row[f'adj_{i}_group'], row[f'adj_{i}_code'], float(row[f'adj_{i}_amount'])) for i in range(2)]
    reasons = [item for item in found if item[2] == item[2]]
    print(row['marker'], row['code'], 'charge', row['charge_amount'], 'reasons', reasons, 'left', row['charge_amount'] - sum(item[2] for item in reasons), 'paid', row['paid_amount'])
print('claims in the file: 3, in the table:', table['marker'].nunique())
PY
env/bin/python run.py | tee out
diff out - <<'END'
warnings: ['Identifier: CAS not handled in claim loop.', 'Identifier: PLB not handled in claim loop.']
PAT1 99213 charge 120.0 reasons [('CO', '45', 19.5), ('PR', '3', 15.0)] left 85.5 paid 80.5
PAT1 80053 charge 80.0 reasons [('CO', '45', 40.0)] left 40.0 paid 40.0
PAT2 99212 charge 50.0 reasons [] left 50.0 paid 50.0
claims in the file: 3, in the table: 2
END
