#!/usr/bin/env bash
# fast-xml-parser 5.12.1 (npm), the XML reader of most JavaScript tools, default settings.
# Behaviour: &lt; and &quot; become characters, references by number do not: caf&#233; stays as it stands, and so do a line break written as &#10; and
# &#65;. The text &#65; itself, which XML writes as &amp;#65;, is read as the same value, so that no later step can tell them apart. Only the option for
# entities of HTML reads them. In elements whatever looks like a number is one: the hash 1234e56 is 1.234e+59, 0012345 is 12345, +49301234 loses its plus;
# in attributes the same values are texts.
# Seen:   caf&#233; &lt;: "caf&#233; <" / &#65; and &amp;#65;: both "&#65;" / htmlEntities: "A" and "&#65;" / 1234e56: 1.234e+59, as an attribute "1234e56"
# Expected by most: every XML reader knows references by number, as the standard has them without any declaration.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fast-xml-parser@5.12.1
cat > run.mjs <<'JS'
import { XMLParser } from 'fast-xml-parser';
const read = (text, options) => JSON.stringify(new XMLParser(options).parse(text).r);
console.log('caf&#233; &lt;: ' + read('<r>caf&#233; &lt;</r>'));
console.log('a&#10;b: ' + read('<r>a&#10;b</r>'));
console.log('&#65;: ' + read('<r>&#65;</r>') + ' &amp;#65;: ' + read('<r>&amp;#65;</r>'));
console.log('htmlEntities: ' + read('<r>&#65;</r>', { htmlEntities: true }) + ' ' + read('<r>&amp;#65;</r>', { htmlEntities: true }));
console.log('numbers: ' + read('<r><v>1234e56</v><v>0012345</v><v>+49301234</v></r>'));
console.log('attributes: ' + read('<r a="1234e56" b="0012345"/>', { ignoreAttributes: false }));
JS
echo "fast-xml-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/fast-xml-parser/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
caf&#233; &lt;: "caf&#233; <"
a&#10;b: "a&#10;b"
&#65;: "&#65;" &amp;#65;: "&#65;"
htmlEntities: "A" "&#65;"
numbers: {"v":[1.234e+59,12345,49301234]}
attributes: {"@_a":"1234e56","@_b":"0012345"}
END
