#!/usr/bin/env bash
# camt053 0.0.23 (PyPI): generate_reversal makes a reversing entry for what was returned with a reason such as AC04.
# Behaviour: a booking of 300.00 holds three payments; only the second, of 120.00, was returned (AC04). The entry gets the reason of that payment, and the reversal is
# over the whole 300.00. It bears the name of the first payment (E1), which was not returned. The amounts of the single payments and the texts for the payee are in no field of the model.
# The document that comes out is valid by the schema.
# Seen:   entry 300.00 AC04 / details E1 -, E2 AC04, E3 - / reversal: Amt 300.00, EndToEndId E1, "Closed Account Number"
# Expected by most: a reversal of 120.00 for E2, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check camt053==0.0.23
cat > run.py <<'PY'
import importlib.metadata
import re
import sys
from camt053 import parse_statement, services

print('camt053', importlib.metadata.version('camt053'), file=sys.stderr)


def payment(name, amount, reason=''):
    back = f'<RtrInf><Rsn><Cd>{reason}</Cd></Rsn></RtrInf>' if reason else ''
    return (f'<TxDtls><Refs><EndToEndId>{name}</EndToEndId></Refs><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>'
            f'<RmtInf><Ustrd>for {name}</Ustrd></RmtInf>{back}</TxDtls>')


XML = f'''<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.14"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-06-15T08:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-06-15T08:00:00</CreDtTm><Acct><Id><IBAN>GB29NWBK60161331926819</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">10000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-15</Dt></Dt></Bal>
<Ntry><NtryRef>N1</NtryRef><Amt Ccy="EUR">300.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-06-15</Dt></BookgDt>
<BkTxCd/><NtryDtls><Btch><NbOfTxs>3</NbOfTxs></Btch>{payment('E1', '100.00')}{payment('E2', '120.00', 'AC04')}{payment('E3', '80.00')}</NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>'''
statement = parse_statement(XML)
for entry in statement.entries:
    print('entry', entry.amount, entry.reason_code)
    for detail in entry.details:
        print('  ', detail.end_to_end_id, detail.reason_code, 'text', detail.additional_info)
reversal = services.generate_reversal(XML, reason_code='AC04')
print('valid:', services.validate_statement(reversal)['valid'])
for found in re.findall(r'<(Ntry|TxDtls|Amt|CdtDbtInd|EndToEndId|AddtlInf)\b[^>]*>([^<]*)', reversal.split('<Ntry>')[1]):
    if found[1].strip():
        print('  ', *found)
PY
env/bin/python run.py | tee out
diff out - <<'END'
entry 300.00 AC04
   E1 None text None
   E2 AC04 text None
   E3 None text None
valid: True
   Amt 300.00
   CdtDbtInd DBIT
   EndToEndId E1
   Amt 300.00
   CdtDbtInd DBIT
   AddtlInf Reversal of N1: Closed Account Number
END
