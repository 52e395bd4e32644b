#!/usr/bin/env bash
# odt2txt 0.5-7 (Debian 12), on a text and a spreadsheet of the OpenDocument format; odfdo 3.27.3 (PyPI), asked for the same rows.
# Behaviour: what was deleted while changes are recorded stands as the first line of the text, with the name of the author and the time glued to it. A remark
# of a reader stands in the sentence in the same way. Blanks that the format writes as one element are none, so two words are one. A cell or a row that is
# written once with "repeated 3 times", as each spreadsheet program does with equal neighbours, is there once. "&lt;" that is text becomes "<".
# Seen:   "Ann2026-01-01T00:00:00three" above the title / "ab" for "a   b" / 5 once, for 5 5 5
# Expected by most: only what stands in the document, and three fives.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq odt2txt=0.5-7 > /dev/null 2>&1; dpkg-deb -x odt2txt_*.deb unpacked
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check odfdo==3.27.3
cat > make.py <<'PY'
import zipfile

names = ' '.join(f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"' for one in ('office', 'text', 'table'))
text = '''<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Ann</dc:creator>
<dc:date>2026-01-01T00:00:00</dc:date></office:change-info><text:p>three</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">Contract</text:h><text:p>Due in <text:change text:change-id="c1"/>five days</text:p>
<text:p>a<text:s text:c="3"/>b</text:p><text:p>Pay <office:annotation><dc:creator>Bob</dc:creator><dc:date>2026-02-02T00:00:00</dc:date>
<text:p>too much</text:p></office:annotation>9</text:p><text:p>write &amp;lt; for less</text:p>'''.replace('\n', '')
five = '<table:table-cell table:number-columns-repeated="3" office:value-type="float" office:value="5"><text:p>5</text:p></table:table-cell>'
seven = '<table:table-cell office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell>'
sheet = f'<table:table table:name="S"><table:table-row>{five}</table:table-row>' \
    f'<table:table-row table:number-rows-repeated="2">{seven}</table:table-row></table:table>'
for file, kind, tag, body in (('a.odt', 'text', 'text', text), ('a.ods', 'spreadsheet', 'spreadsheet', sheet)):
    with zipfile.ZipFile(file, 'w') as archive:
        archive.writestr('mimetype', f'application/vnd.oasis.opendocument.{kind}')
        archive.writestr('content.xml', f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {names} '
                         f'xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"><office:body><office:{tag}>{body}'
                         f'</office:{tag}></office:body></office:document-content>')
        archive.writestr('META-INF/manifest.xml', '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>')
PY
cat > other.py <<'PY'
from odfdo import Document

print('odfdo:', [row for row in Document('a.ods').body.tables[0].get_values()])
PY
python3 make.py
echo "odt2txt $(dpkg-deb -f odt2txt_*.deb Version)"
(for file in a.odt a.ods; do echo "$file"; unpacked/usr/bin/odt2txt.odt2txt --encoding=utf-8 --width=-1 $file | grep .; done; env/bin/python other.py) | tee out
diff out - <<'END'
a.odt
Ann2026-01-01T00:00:00three
Contract
========
Due in five days
ab
Pay Bob2026-02-02T00:00:00too much
9
write < for less
a.ods
5
7
odfdo: [[5, 5, 5], [7, None, None], [7, None, None]]
END
