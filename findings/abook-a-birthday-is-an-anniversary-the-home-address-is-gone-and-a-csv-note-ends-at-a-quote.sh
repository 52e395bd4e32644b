#!/usr/bin/env bash
# abook 0.6.1-2+b1 (Debian 12): --convert from vCard to its own format and to CSV, against vobject 0.9.9 (PyPI) and the csv module of Python.
# Behaviour: the birthday of a card is written as the anniversary, and the anniversary of the card is gone. Of two addresses the last is left, so the one
# at home is the one at work. A value that is folded over two lines ends with the first. A mail address with a group (item1.EMAIL, as Apple writes) is not
# read, so the person has none. Backslashes stay in notes. Its CSV does not double quotes, so a note reads otherwise and a comma in it makes a column more.
# Seen:   BDAY:1980-01-02 -> anniversary=1980-01-02 / address=Work Rd. 1 / notes=a long note that is / Bob has no email
# Expected by most: the anniversary 2005-06-07, the home address first or both, the whole note, bob@x.example.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq abook=0.6.1-2+b1 > /dev/null 2>&1; dpkg-deb -x abook_*.deb unpacked
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check vobject==0.9.9
cat > a.vcf <<'VCF'
BEGIN:VCARD
VERSION:3.0
N:Doe;Jane;;;
FN:Jane Doe
EMAIL:jane@work.example
ADR;TYPE=home:;;Main St. 5;Berlin;;10115;Germany
ADR;TYPE=work:;;Work Rd. 1;Bonn;;53111;Germany
NOTE:says "yes"\, "no"\, or more
BDAY:1980-01-02
ANNIVERSARY:2005-06-07
END:VCARD
BEGIN:VCARD
VERSION:3.0
N:Roe;Bob;;;
FN:Bob Roe
item1.EMAIL:bob@x.example
NOTE:a long note that is
  folded over two lines
END:VCARD
VCF
sed -i 's/$/\r/' a.vcf
cat > run.py <<'PY'
import csv
import vobject

for card in vobject.readComponents(open('a.vcf', newline='').read()):
    print('vobject:', card.fn.value, '|', card.email.value, '|', card.note.value, '|', *[one.value.street for one in card.contents.get('adr', [])])
for row in csv.reader(open('a.csv')):
    print('the CSV, read again:', len(row), 'columns:', row)
PY
echo "abook $(dpkg-deb -f abook_*.deb Version)"
export HOME=$dir
unpacked/usr/bin/abook --convert --informat vcard --infile a.vcf --outformat csv --outfile a.csv
(
  unpacked/usr/bin/abook --convert --informat vcard --infile a.vcf --outformat abook --outfile - | tr -d '\r' | grep '='
  env/bin/python run.py
) | tee out
diff out - <<'END'
program=abook
version=0.6.1
name=Jane Doe
email=jane@work.example
address=Work Rd. 1
city=Bonn
zip=53111
country=Germany
notes=says "yes"\, "no"\, or more
anniversary=1980-01-02
name=Bob Roe
notes=a long note that is
vobject: Jane Doe | jane@work.example | says "yes", "no", or more | Main St. 5 Work Rd. 1
vobject: Bob Roe | bob@x.example | a long note that is folded over two lines |
the CSV, read again: 7 columns: ['Jane Doe', 'jane@work.example', '', 'says yes"\\', ' "no"\\', ' or more"', '']
the CSV, read again: 5 columns: ['Bob Roe', '', '', 'a long note that is', '']
END
