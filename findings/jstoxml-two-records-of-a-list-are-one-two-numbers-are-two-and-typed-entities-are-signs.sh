#!/usr/bin/env bash
# jstoxml 7.1.1 (npm), values of JavaScript to XML; js2xmlparser 5.0.0 writes the same ones, fast-xml-parser 5.3.2 reads both.
# Behaviour: a list of numbers or words gives a tag for each one, a list of records gives one tag for all: of two pens one is left, with two names and two prices. A list of pairs
# is one number: [[1,2],[3,4]] is 1234. An empty list leaves no tag. A text that speaks of "&lt;" is not escaped (the README says so of attributes only), so the reader gets "<".
# Seen:   <pens><name>a</name><price>1</price><name>b</name><price>2</price></pens> / <m>1234</m> / "write &lt; for <" is read as "write < for <"
# Expected by most: a tag for each record, and the text as it was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts jstoxml@7.1.1 js2xmlparser@5.0.0 fast-xml-parser@5.3.2 2> /dev/null
cat > run.mjs <<'JS'
import { toXML } from 'jstoxml';
import { parse } from 'js2xmlparser';
import { XMLParser } from 'fast-xml-parser';

const reader = new XMLParser();
for (const value of [
  { pen: [1, 2] }, { pen: ['a', 'b'] }, { pen: [{ name: 'a', price: 1 }, { name: 'b', price: 2 }] }, { pen: ['a', { name: 'b' }] }, { line: [[1, 2], [3, 4]] }, { pen: [] }, { note: 'write &lt; for <' }, { note: 'AT&T' },
]) {
  console.log(JSON.stringify(value));
  for (const [name, xml] of [['jstoxml', toXML({ all: value })], ['js2xmlparser', parse('all', value, { declaration: { include: false }, format: { pretty: false } })]]) {
    console.log(`    ${name}: ${xml}, read as ${JSON.stringify(reader.parse(xml).all)}`);
  }
}
JS
echo "jstoxml $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jstoxml/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"pen":[1,2]}
    jstoxml: <all><pen>1</pen><pen>2</pen></all>, read as {"pen":[1,2]}
    js2xmlparser: <all><pen>1</pen><pen>2</pen></all>, read as {"pen":[1,2]}
{"pen":["a","b"]}
    jstoxml: <all><pen>a</pen><pen>b</pen></all>, read as {"pen":["a","b"]}
    js2xmlparser: <all><pen>a</pen><pen>b</pen></all>, read as {"pen":["a","b"]}
{"pen":[{"name":"a","price":1},{"name":"b","price":2}]}
    jstoxml: <all><pen><name>a</name><price>1</price><name>b</name><price>2</price></pen></all>, read as {"pen":{"name":["a","b"],"price":[1,2]}}
    js2xmlparser: <all><pen><name>a</name><price>1</price></pen><pen><name>b</name><price>2</price></pen></all>, read as {"pen":[{"name":"a","price":1},{"name":"b","price":2}]}
{"pen":["a",{"name":"b"}]}
    jstoxml: <all><pen>a<name>b</name></pen></all>, read as {"pen":{"name":"b","#text":"a"}}
    js2xmlparser: <all><pen>a</pen><pen><name>b</name></pen></all>, read as {"pen":["a",{"name":"b"}]}
{"line":[[1,2],[3,4]]}
    jstoxml: <all><line>1234</line></all>, read as {"line":1234}
    js2xmlparser: <all><line>1</line><line>2</line><line>3</line><line>4</line></all>, read as {"line":[1,2,3,4]}
{"pen":[]}
    jstoxml: <all/>, read as ""
    js2xmlparser: <all/>, read as ""
{"note":"write &lt; for <"}
    jstoxml: <all><note>write &lt; for &lt;</note></all>, read as {"note":"write < for <"}
    js2xmlparser: <all><note>write &amp;lt; for &lt;</note></all>, read as {"note":"write &lt; for <"}
{"note":"AT&T"}
    jstoxml: <all><note>AT&amp;T</note></all>, read as {"note":"AT&T"}
    js2xmlparser: <all><note>AT&amp;T</note></all>, read as {"note":"AT&T"}
END
