#!/usr/bin/env bash
# dbffile 1.13.0 (npm), which writes and reads tables of dBase (DBF, as in shapefiles); dbfread 2.0.7 (PyPI) reads what it wrote.
# Behaviour: a number with more digits than its field has is cut at the right, as a text would be, and written without an error: 1,234,567 in a field of five digits is 12,345, and -123,456 is -1,234. With decimals the same: 123456.78 in
# eight places is 123456.7, 12345678.9 is 12345678. A fraction in a field without decimals is not rounded, but cut where the field ends.
# Seen:   count 1234567 in N(5): 12345, for both readers
# Expected by most: an error, or no value (dBase itself writes asterisks).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund dbffile@1.13.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dbfread==2.0.7
cat > run.mjs <<'JS'
import { DBFFile } from 'dbffile';
const rows = [[12345, 99.5], [123456, 12345.67], [1234567, 123456.78], [-123456, -123456.78], [1.23456, 12345678.9], [null, null]];
const file = await DBFFile.create('table.dbf', [{ name: 'COUNT', type: 'N', size: 5 }, { name: 'PRICE', type: 'N', size: 8, decimalPlaces: 2 }]);
await file.appendRecords(rows.map(([COUNT, PRICE]) => ({ COUNT, PRICE })));
const again = await (await DBFFile.open('table.dbf')).readRecords(10);
rows.forEach(([count, price], index) => console.log(`written ${count} and ${price}: read ${again[index].COUNT} and ${again[index].PRICE}`));
JS
cat > run.py <<'PY'
from dbfread import DBF
print('dbfread:', [(row['COUNT'], row['PRICE']) for row in DBF('table.dbf')])
PY
echo "dbffile $(node -p "JSON.parse(require('fs').readFileSync('node_modules/dbffile/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
written 12345 and 99.5: read 12345 and 99.5
written 123456 and 12345.67: read 12345 and 12345.67
written 1234567 and 123456.78: read 12345 and 123456.7
written -123456 and -123456.78: read -1234 and -123456
written 1.23456 and 12345678.9: read 1.234 and 12345678
written null and null: read null and null
dbfread: [(12345, 99.5), (12345, 12345.67), (12345, 123456.7), (-1234, -123456.0), (1.234, 12345678), (None, None)]
END
