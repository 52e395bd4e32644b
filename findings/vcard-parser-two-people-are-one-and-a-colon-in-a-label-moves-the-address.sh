#!/usr/bin/env bash
# vcard-parser 1.0.0 (npm) against vobject 0.9.9 (PyPI): address books in the vCard format, 3.0.
# Behaviour: a file with two cards, as each export of an address book is, is read as one card with the names, numbers and addresses of both, and is written as
# one card. Nothing tells which number is whose. A parameter in quotation marks, which may hold ";" and ":" by the format, is cut at these: the rest of the
# label becomes the start of the address, which moves by a place or more. A web address or a title with a ";" is a list of two.
# Seen:   two cards: fn Ann Lee and Bob Ray, tel 1, 2, 3 in one / LABEL="Flat 2; door: B": the address begins with ' B":' / URL http://h/a;b: a list of two
# Expected by most: two cards; the street in its place; one web address.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts vcard-parser@1.0.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check vobject==0.9.9
cat > run.cjs <<'JS'
const fs = require('fs');
const { parse, generate } = require('vcard-parser');
const card = (name, ...lines) => ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `N:${name.split(' ').reverse().join(';')};;;`, ...lines, 'END:VCARD', ''].join('\r\n');
const files = {
  book: card('Ann Lee', 'TEL:1', 'NOTE:owes us 5') + card('Bob Ray', 'TEL:2', 'TEL:3'),
  label: card('Ann Lee', 'ADR;LABEL="Flat 2; door: B":;;1 Main St;Town;;123;US'),
  plain: card('Ann Lee', 'ADR;TYPE=home:;;1 Main St;Town;;123;US'),
  link: card('Ann Lee', 'URL:http://h.example/a;b'),
};
for (const [name, text] of Object.entries(files)) {
  fs.writeFileSync(`${name}.vcf`, text);
  const { version, n, ...rest } = parse(text);
  console.log(`${name}: vcard-parser ${JSON.stringify(rest)}`);
}
console.log(`book written again: ${generate(parse(files.book)).split('\r\n').join(' ')}`);
JS
cat > run.py <<'PY'
import vobject

for name in ['book', 'label', 'plain', 'link']:
    for card in vobject.readComponents(open(f'{name}.vcf', newline='').read()):
        shown = [f'{one.name} {one.value.street if one.name == "ADR" else one.value}' for one in card.getChildren() if one.name not in ('VERSION', 'N')]
        print(f'{name}: vobject {sorted(shown)}')
PY
echo "vcard-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/vcard-parser/package.json')).version")"
(node run.cjs; env/bin/python run.py) | tee out
diff out - <<'END'
book: vcard-parser {"fn":[{"value":"Ann Lee"},{"value":"Bob Ray"}],"tel":[{"value":"1"},{"value":"2"},{"value":"3"}],"note":[{"value":"owes us 5"}]}
label: vcard-parser {"fn":[{"value":"Ann Lee"}],"adr":[{"value":[" B\":","","1 Main St","Town","","123","US"],"meta":{"label":["\"Flat 2"]," door":[null]}}]}
plain: vcard-parser {"fn":[{"value":"Ann Lee"}],"adr":[{"value":["","","1 Main St","Town","","123","US"],"meta":{"type":["home"]}}]}
link: vcard-parser {"fn":[{"value":"Ann Lee"}],"url":[{"value":["http://h.example/a","b"]}]}
book written again: BEGIN:VCARD VERSION:3.0 VERSION:3.0 FN:Ann Lee FN:Bob Ray N:Lee;Ann;;; N:Ray;Bob;;; TEL:1 TEL:2 TEL:3 NOTE:owes us 5 END:VCARD
book: vobject ['FN Ann Lee', 'NOTE owes us 5', 'TEL 1']
book: vobject ['FN Bob Ray', 'TEL 2', 'TEL 3']
label: vobject ['ADR 1 Main St', 'FN Ann Lee']
plain: vobject ['ADR 1 Main St', 'FN Ann Lee']
link: vobject ['FN Ann Lee', 'URL http://h.example/a;b']
END
