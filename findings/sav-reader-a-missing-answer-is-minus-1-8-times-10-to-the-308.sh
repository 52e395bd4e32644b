#!/usr/bin/env bash
# sav-reader 2.0.8 (npm) reads an SPSS file that pyreadstat 1.3.7 (PyPI) wrote.
# Behaviour: a missing number (the dot of SPSS) is not null but -1.7976931348623157e+308, so that a mean or a minimum of the column is that number and
# "income < 1000" holds for all who did not answer.
# Seen:   income -1.7976931348623157e+308, mean -5.99e+307
# Expected by most: null or undefined, as pyreadstat gives for the same file.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyreadstat==1.3.7 pandas==3.1.1
npm init -y >/dev/null; npm install --silent --no-audit --no-fund sav-reader@2.0.8
cat > write.py <<'PY'
import pandas
import pyreadstat

frame = pandas.DataFrame({'name': ['Ann', 'Bob', 'Cid'], 'income': [1500.5, None, 900.0], 'agrees': [1.0, 2.0, None]})
pyreadstat.write_sav(frame, 'survey.sav', variable_value_labels={'agrees': {1: 'yes', 2: 'no'}})
back, meta = pyreadstat.read_sav('survey.sav')
print('pyreadstat', back.astype(object).where(back.notna(), None).to_dict('records'))
PY
cat > read.js <<'JS'
const fs = require('fs');
const { SavBufferReader } = require('sav-reader');
(async () => {
  console.log('sav-reader', JSON.parse(fs.readFileSync('node_modules/sav-reader/package.json')).version);
  const file = new SavBufferReader(fs.readFileSync('survey.sav'));
  await file.open();
  const rows = await file.readAllRows();
  for (const row of rows) console.log('sav-reader', JSON.stringify(row));
  console.log('mean', rows.reduce((sum, row) => sum + row.income, 0) / rows.length);
  console.log('income below 1000:', rows.filter(row => row.income < 1000).map(row => row.name).join());
})();
JS
{ env/bin/python write.py; node read.js; } | tee out
diff out - <<'END'
pyreadstat [{'name': 'Ann', 'income': 1500.5, 'agrees': 1.0}, {'name': 'Bob', 'income': None, 'agrees': 2.0}, {'name': 'Cid', 'income': 900.0, 'agrees': None}]
sav-reader 2.0.8
sav-reader {"name":"Ann","income":1500.5,"agrees":1}
sav-reader {"name":"Bob","income":-1.7976931348623157e+308,"agrees":2}
sav-reader {"name":"Cid","income":900,"agrees":-1.7976931348623157e+308}
mean -5.992310449541053e+307
income below 1000: Bob,Cid
END
