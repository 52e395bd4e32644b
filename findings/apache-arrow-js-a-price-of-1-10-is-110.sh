#!/usr/bin/env bash
# apache-arrow 21.2.0 and hyparquet 1.33.0 (npm) read what pyarrow 26.0.1 (PyPI) writes, default settings.
# Behaviour: decimal numbers with two places. apache-arrow gives the digits without the point: 1.10 is 110, as a text, as a number and in JSON, where it is a text
# in quotes within quotes. The scale stands in the schema alone. hyparquet gives a float, so a large sum loses its last digits and its cents. hyparquet reads
# bytes as text, and what is no text is replaced and lost; apache-arrow's bytes are an object with numbered fields in JSON.
# Seen:   1.10: 110 by apache-arrow, 1.1 by hyparquet / 123456789012345678.99: 12345678901234567899, 123456789012345660 / bytes c8 ff: two question marks
# Expected by most: 1.10 and 123456789012345678.99 in some form.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts apache-arrow@21.2.0 hyparquet@1.33.0 2> /dev/null
cat > make.py <<'PY'
import decimal
import importlib.metadata
import sys
import pyarrow
import pyarrow.parquet

print('pyarrow', importlib.metadata.version('pyarrow'), file=sys.stderr)
price = [decimal.Decimal('1.10'), decimal.Decimal('123456789012345678.99')]
table = pyarrow.table({
    'price': pyarrow.array(price, pyarrow.decimal128(20, 2)),
    'hash': pyarrow.array([bytes([1, 2]), bytes([200, 255])]),
})
pyarrow.parquet.write_table(table, 'rows.parquet')
with pyarrow.OSFile('rows.arrow', 'wb') as sink, pyarrow.ipc.new_file(sink, table.schema) as file:
    file.write_table(table)
PY
cat > run.mjs <<'JS'
import fs from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
const show = (value) => typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
const rows = { 'apache-arrow': tableFromIPC(fs.readFileSync('rows.arrow')).toArray() };
rows.hyparquet = await parquetReadObjects({ file: await asyncBufferFromFile('rows.parquet') });
for (const column of ['price', 'hash']) {
  for (const [name, found] of Object.entries(rows)) console.log(`${column} by ${name}: ${found.map((row) => show(row[column])).join(' and ')}`);
}
const [first] = rows['apache-arrow'];
console.log(`price by apache-arrow, as a text: ${first.price}, as a number: ${Number(first.price)}`);
JS
for name in apache-arrow hyparquet; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
env/bin/python make.py
node run.mjs | tee out
diff out - <<'END'
price by apache-arrow: "\"110\"" and "\"12345678901234567899\""
price by hyparquet: 1.1 and 123456789012345660
hash by apache-arrow: {"0":1,"1":2} and {"0":200,"1":255}
hash by hyparquet: "\u0001\u0002" and "��"
price by apache-arrow, as a text: 110, as a number: 110
END
