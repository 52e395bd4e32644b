#!/usr/bin/env bash
# xliff 6.4.0 (npm), xliff12ToJs and jsToXliff12, which read and write XLIFF 1.2 for translators; Python's own xml.etree reads what it wrote.
# Behaviour: a sentence with an element in it (a link, bold words) is written with line breaks and blanks before that element and at its end, as if it were layout. They are within <source> and <target>, so other tools show and count
# them; the translation memory does not find the sentence any more. xml:space="preserve" on the unit changes nothing, although it is written again itself. The library's own reader strips them, so its own round trip looks well.
# Seen:   'Hello <g id="1">big</g> world': 'Hello \n          ' 'big' ' world\n        ' / a sentence without elements: as it was
# Expected by most: the sentence as it was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund xliff@6.4.0
cat > in.xlf <<'XML'
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="app" datatype="plaintext" source-language="en" target-language="de"><body>
<trans-unit id="plain" xml:space="preserve"><source>Hello  big world</source><target>Hallo  große Welt</target></trans-unit>
<trans-unit id="inline" xml:space="preserve"><source>Hello <g id="1">big</g> world</source><target>Hallo <g id="1">große</g> Welt</target></trans-unit>
<trans-unit id="end" xml:space="preserve"><source>See <x id="2"/></source><target>Siehe <x id="2"/></target></trans-unit>
</body></file></xliff>
XML
cat > run.mjs <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import xliff from 'xliff';
const first = await xliff.xliff12ToJs(readFileSync('in.xlf', 'utf8'));
const text = await xliff.jsToXliff12(first);
writeFileSync('out.xlf', text);
const second = await xliff.xliff12ToJs(text);
console.log(`xliff itself sees the same: ${JSON.stringify(first) === JSON.stringify(second)}`);
JS
cat > show.py <<'PY'
import sys
import xml.etree.ElementTree as tree
name = '{urn:oasis:names:tc:xliff:document:1.2}'
for unit in tree.parse(sys.argv[1]).iter(name + 'trans-unit'):
    print(sys.argv[1], unit.get('id'), *(repr(''.join(unit.find(name + part).itertext())) for part in ('source', 'target')))
PY
{
  echo "xliff $(node -p "JSON.parse(require('fs').readFileSync('node_modules/xliff/package.json')).version")"
  node run.mjs; python3 show.py in.xlf; python3 show.py out.xlf
} | tee out
diff out - <<'END'
xliff 6.4.0
xliff itself sees the same: true
in.xlf plain 'Hello  big world' 'Hallo  große Welt'
in.xlf inline 'Hello big world' 'Hallo große Welt'
in.xlf end 'See ' 'Siehe '
out.xlf plain 'Hello  big world' 'Hallo  große Welt'
out.xlf inline 'Hello \n          big world\n        ' 'Hallo \n          große Welt\n        '
out.xlf end 'See \n          \n        ' 'Siehe \n          \n        '
END
