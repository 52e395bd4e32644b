#!/usr/bin/env bash
# marcjs 3.0.2 (npm) against pymarc 5.4.0 (PyPI): records of libraries in MARCXML.
# Behaviour: XML is read by search for words, not as XML. An empty subfield written as <subfield code="b"/> has the mark > as its text, and the whole next
# field becomes a subfield 6 of this field (and is there once more for itself). Where ind1 stands before tag, the field has a tag of quotation marks. With
# the prefix marc: the record is empty. A field in an XML comment is a field, and CDATA is text. Nothing is told.
# Seen:   <subfield code="b"/>: b ">", 6 "... Cats" / ind1 first: the tag is a blank in quotation marks / marc: no field / a field within a comment: there
# Expected by most: the fields that any XML reader finds.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts marcjs@3.0.2 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pymarc==5.4.0
cat > run.cjs <<'JS'
const fs = require('fs');
const { Marc } = require('marcjs');
const field = (tag, inside) => `<datafield tag="${tag}" ind1=" " ind2="0">${inside}</datafield>`;
const title = '<subfield code="a">Cats</subfield>';
const records = {
  plain: field('245', title),
  'empty subfield': field('245', title + '<subfield code="b"/>') + field('650', '<subfield code="a">Dogs</subfield>'),
  'empty subfield first': field('245', '<subfield code="b"/>' + title),
  'ind1 before tag': `<datafield ind1=" " ind2="0" tag="245">${title}</datafield>`,
  comment: field('245', title) + `<!--${field('500', '<subfield code="a">old</subfield>')}-->`,
  CDATA: field('245', '<subfield code="a"><![CDATA[Cats & dogs]]></subfield>'),
  prefix: field('245', title).replace(/(<\/?)(?=\w)/g, '$1marc:'),
};
let name = 0;
for (const [kind, fields] of Object.entries(records)) {
  const mark = kind === 'prefix' ? 'marc:' : '';
  const space = `xmlns${mark && ':marc'}="http://www.loc.gov/MARC21/slim"`;
  const text = `<${mark}record ${space}><${mark}leader>00000nam a2200000 a 4500</${mark}leader>${fields}</${mark}record>`;
  fs.writeFileSync(`${name++}.xml`, text);
  console.log(`${kind}: marcjs ${JSON.stringify(Marc.parse(text, 'marcxml').fields)}`);
}
JS
cat > run.py <<'PY'
import pymarc

for number in range(7):
    [record] = pymarc.parse_xml_to_array(f'{number}.xml')
    print(f'{number}: pymarc', [(field.tag, [(one.code, one.value) for one in field.subfields]) for field in record.fields])
PY
echo "marcjs $(node -p "JSON.parse(require('fs').readFileSync('node_modules/marcjs/package.json')).version")"
(node run.cjs; env/bin/python run.py) | tee out
diff out - <<'END'
plain: marcjs [["245"," 0","a","Cats"]]
empty subfield: marcjs [["245"," 0","a","Cats","b",">","6","\" ind1=\" \" ind2=\"0\"><subfield code=\"a\">Dogs","c","","",""],["650"," 0","a","Dogs"]]
empty subfield first: marcjs [["245"," 0","b","><subfield code=\"a\">Cats"]]
ind1 before tag: marcjs [["\" \"","\"5","a","Cats"]]
comment: marcjs [["245"," 0","a","Cats"],["ag=","dd","5","\" ind1=\" \" ind2=\"0\"><subfield code=\"a\">old"]]
CDATA: marcjs [["245"," 0","a","<![CDATA[Cats & dogs]]>"]]
prefix: marcjs []
0: pymarc [('245', [('a', 'Cats')])]
1: pymarc [('245', [('a', 'Cats'), ('b', '')]), ('650', [('a', 'Dogs')])]
2: pymarc [('245', [('b', ''), ('a', 'Cats')])]
3: pymarc [('245', [('a', 'Cats')])]
4: pymarc [('245', [('a', 'Cats')])]
5: pymarc [('245', [('a', 'Cats & dogs')])]
6: pymarc [('245', [('a', 'Cats')])]
END
