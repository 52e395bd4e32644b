#!/usr/bin/env bash
# ofxparse 0.21 (PyPI), which reads the account statements that banks give in OFX, OfxParser.parse as it is.
# Behaviour: a date with a zone, as 20260101000000[+1:CET], is moved to UTC and given without a zone. Banks write a day as its midnight: east of Greenwich each such booking is of the day before, those of the first of
# January are of the old year. Late evenings of American banks are of the next day. A date without a zone stays. The last day of the statement moves in the same way.
# Seen:   20260101000000[+1:CET]: 2025-12-31 23:00 / 20260131230000[-5:EST]: 2026-02-01 04:00 / 20260101: 2026-01-01
# Expected by most: the day that the bank wrote, or a date that says its zone.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ofxparse==0.21
cat > run.py <<'PY'
import io
import warnings
from ofxparse import OfxParser

warnings.simplefilter('ignore')
HEAD = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n'

def statement(day, end):
    return HEAD + f'''<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>1<ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>{day}<DTEND>{end}
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{day}<TRNAMT>-5.00<FITID>1<NAME>Shop</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>5.00<DTASOF>{end}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>'''

for day, end in [
    ('20260101', '20260131'), ('20260101000000', '20260131000000'), ('20260101000000[0:GMT]', '20260131000000[0:GMT]'),
    ('20260101000000[+1:CET]', '20260131000000[+1:CET]'), ('20260101000000[+9:JST]', '20260131000000[+9:JST]'), ('20260131230000[-5:EST]', '20260131230000[-5:EST]'),
]:
    account = OfxParser.parse(io.BytesIO(statement(day, end).encode())).account
    booked = account.statement.transactions[0].date
    print(f'{day}: {booked}, zone {booked.tzinfo}; balance of {end}: {account.statement.balance_date}')
PY
env/bin/python -c "import importlib.metadata as m; print('ofxparse', m.version('ofxparse'))"
env/bin/python run.py | tee out
diff out - <<'END'
20260101: 2026-01-01 00:00:00, zone None; balance of 20260131: 2026-01-31 00:00:00
20260101000000: 2026-01-01 00:00:00, zone None; balance of 20260131000000: 2026-01-31 00:00:00
20260101000000[0:GMT]: 2026-01-01 00:00:00, zone None; balance of 20260131000000[0:GMT]: 2026-01-31 00:00:00
20260101000000[+1:CET]: 2025-12-31 23:00:00, zone None; balance of 20260131000000[+1:CET]: 2026-01-30 23:00:00
20260101000000[+9:JST]: 2025-12-31 15:00:00, zone None; balance of 20260131000000[+9:JST]: 2026-01-30 15:00:00
20260131230000[-5:EST]: 2026-02-01 04:00:00, zone None; balance of 20260131230000[-5:EST]: 2026-02-01 04:00:00
END
