#!/usr/bin/env bash
# xml2 0.5-4 (Debian 12): xml2, 2xml and csv2, which turn XML and CSV into lines of path=value and back; Python's csv and xml.etree, asked the same.
# Behaviour: csv2 takes an empty cell at the end of a row for no cell: the rest of the file becomes its value, and its rows are there once more. xml2 and 2xml, one behind the other with nothing between, give another file: of several elements of one name in a row, each text but the
# first begins with a line break, so that 3 is no longer 3. The blank between two elements in a sentence is dropped, so two words are one.
# Seen:   id,note / 1,a / 2, / 3,c / 4,d: the note of 2 is "3,c" and "4,d" / <n>1</n><n>2</n>: the second is "\n2" / <b>no</b> <i>tea</i>: notea
# Expected by most: 2 has no note, and the same file again.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq xml2=0.5-4 > /dev/null 2>&1; dpkg-deb -x xml2_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
printf 'id,note\n1,a\n2,\n3,c\n4,d\n' > notes.csv
printf '<r><n>1</n><n>2</n><n>2</n></r>' > list.xml
printf '<p>They drink <b>no</b> <i>tea</i>.</p>' > text.xml
cat > other.py <<'PY'
import csv
import sys
import xml.etree.ElementTree as tree

print('records of python:', [tuple(row.values()) for row in csv.DictReader(open('notes.csv'))])
for name in ('list.xml', 'text.xml', 'list2.xml', 'text2.xml'):
    print(f'{name}:', [''.join(one.itertext()) for one in (tree.parse(name).getroot() if name[0] == 'l' else [tree.parse(name).getroot()])])
PY
for name in list text; do xml2 < $name.xml | 2xml > ${name}2.xml; done
echo "xml2 $(dpkg-deb -f xml2_*.deb Version)"
(csv2 -f < notes.csv | grep -v '@\|record$'; csv2 -f < notes.csv | 2csv record id note; python3 other.py) | tee out
diff out - <<'END'
/file/record/id=1
/file/record/note=a
/file/record/id=2
/file/record/note=3,c
4,d
/file/record/id=3
/file/record/note=c
/file/record/id=4
/file/record/note=d
1,a
2,"3,c"
3,c
4,d
records of python: [('1', 'a'), ('2', ''), ('3', 'c'), ('4', 'd')]
list.xml: ['1', '2', '2']
text.xml: ['They drink no tea.']
list2.xml: ['1', '\n2', '\n2']
text2.xml: ['They drink notea.']
END
