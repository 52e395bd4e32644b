#!/usr/bin/env bash
# xml-js 1.6.11 (npm), with some millions of downloads a week, which turns XML into objects and back; Python's own reader of XML is the judge.
# Behaviour: read and written back with default options, an attribute's &amp; becomes a bare & (and &lt; a bare <), so that a valid file with an
# address such as x?a=1&amp;b=2 is no XML afterwards. In text the same references are kept. An element that holds only spaces comes back empty, so
# that the space between two words in it is lost.
# Seen:   <a href="x?a=1&amp;b=2">: <a href="x?a=1&b=2"> / title="a &lt; b": title="a < b" / <i> </i>: <i/>
# Expected by most: what was read is written as XML that means the same.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund xml-js@1.6.11
cat > run.mjs <<'JS'
import convert from 'xml-js';
for (const xml of ['<a href="x?a=1&amp;b=2">1 &amp; 2</a>', '<a title="a &lt; b">t</a>', '<p><b>one</b><i> </i><b>two</b></p>']) {
  for (const compact of [false, true]) {
    const back = convert.js2xml(convert.xml2js(xml, { compact }), { compact });
    console.log(xml + '\t' + (compact ? 'compact' : 'full') + '\t' + back);
  }
}
JS
echo "xml-js $(node -p "JSON.parse(require('fs').readFileSync('node_modules/xml-js/package.json')).version")"
cat > judge.py <<'PY'
import sys
import xml.etree.ElementTree as tree

for line in sys.stdin:
    texts = line.rstrip('\n').split('\t')
    for place in (0, 2):
        try:
            tree.fromstring(texts[place])
            texts[place] += ' (XML)'
        except tree.ParseError:
            texts[place] += ' (not XML)'
    print(f'{texts[1]}: {texts[0]} -> {texts[2]}')
PY
node run.mjs | python3 judge.py | tee out
diff out - <<'END'
full: <a href="x?a=1&amp;b=2">1 &amp; 2</a> (XML) -> <a href="x?a=1&b=2">1 &amp; 2</a> (not XML)
compact: <a href="x?a=1&amp;b=2">1 &amp; 2</a> (XML) -> <a href="x?a=1&b=2">1 &amp; 2</a> (not XML)
full: <a title="a &lt; b">t</a> (XML) -> <a title="a < b">t</a> (not XML)
compact: <a title="a &lt; b">t</a> (XML) -> <a title="a < b">t</a> (not XML)
full: <p><b>one</b><i> </i><b>two</b></p> (XML) -> <p><b>one</b><i/><b>two</b></p> (XML)
compact: <p><b>one</b><i> </i><b>two</b></p> (XML) -> <p><b>one</b><b>two</b><i/></p> (XML)
END
