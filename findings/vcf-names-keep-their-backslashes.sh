#!/usr/bin/env bash
# vcf 2.1.2 (npm), cards of vCard read and written with default settings; vobject 0.9.9 (PyPI) reads the same card.
# Behaviour: values are not unescaped: a comma in a name keeps its backslash, a line break is two characters, and what a program shows is not the name.
# The parts of a name and of an organisation are divided at each semicolon, at an escaped one too. Written again, the label of Apple's address book
# (X-ABLabel) has another name (X-AB-LABEL), which that book does not know.
# Seen:   Doe\, Jane: "Doe\\, Jane" / one\ntwo: "one\\ntwo" / N:R\;D;Jane: ["R\\","D","Jane"] / item1.X-ABLabel: item1.X-AB-LABEL
# Expected by most: "Doe, Jane", a line break, ["R;D","Jane"].
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts vcf@2.1.2 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check vobject==0.9.9
printf '%s\r\n' BEGIN:VCARD VERSION:3.0 'FN:Doe\, Jane' 'N:R\;D;Jane;;;' 'ORG:Example\, Inc.;Sales' 'NOTE:one\ntwo' \
  item1.URL:https://example.com/a item1.X-ABLabel:shop END:VCARD > card.vcf
cat > run.cjs <<'JS'
const Card = require('vcf');
const card = new Card().parse(require('fs').readFileSync('card.vcf', 'utf8'));
for (const name of ['fn', 'n', 'org', 'note']) console.log(`vcf ${name}: ${JSON.stringify(card.get(name).valueOf())} ${JSON.stringify(card.get(name).toJSON()[3])}`);
console.log(`vcf writes: ${card.toString('3.0').split('\r\n').join('\n').split('\n').filter((line) => line.startsWith('item1')).join(' ')}`);
JS
cat > run.py <<'PY'
import vobject
card = vobject.readOne(open('card.vcf', newline='').read())
print('vobject fn:', repr(card.fn.value), 'n:', repr([card.n.value.family, card.n.value.given]), 'org:', card.org.value, 'note:', repr(card.note.value))
PY
echo "vcf $(node -p "JSON.parse(require('fs').readFileSync('node_modules/vcf/package.json')).version")"
(node run.cjs; env/bin/python run.py) | tee out
diff out - <<'END'
vcf fn: "Doe\\, Jane" "Doe\\, Jane"
vcf n: "R\\;D;Jane;;;" ["R\\","D","Jane","","",""]
vcf org: "Example\\, Inc.;Sales" "Example\\, Inc.;Sales"
vcf note: "one\\ntwo" "one\\ntwo"
vcf writes: item1.URL:https://example.com/a item1.X-AB-LABEL:shop
vobject fn: 'Doe, Jane' n: ['R;D', 'Jane'] org: ['Example, Inc.', 'Sales'] note: 'one\ntwo'
END
