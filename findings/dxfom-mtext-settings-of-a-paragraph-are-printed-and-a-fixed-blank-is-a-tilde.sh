#!/usr/bin/env bash
# @dxfom/mtext 0.4.0 (npm): the texts with formats (MTEXT) of DXF drawings.
# Behaviour: the settings of a paragraph (\pi, \pxqc, \pt) and true colours (\c) lose their backslash and stay as letters of the text. A blank that does not break (\~) becomes a tilde,
# a new column (\N) the letter N, a tab (^I) stays as two signs. All of these are written by AutoCAD. Other codes (\P, \H, \f, \U+00B0, %%c) are read well.
# Seen:   \pi-1,l2;First -> "pi-1,l2;First" / \c255;red -> "c255;red" / 10\~mm -> "10~mm" / one\Ntwo -> "oneNtwo"
# Expected by most: settings as objects like those of \H, "10 mm" with a fixed blank, a break.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @dxfom/mtext@0.4.0
cat > run.cjs <<'JS'
const { parseDxfMTextContent } = require('@dxfom/mtext');
for (const text of ['\\H2.5;high', 'one\\Ptwo', '45\\U+00B0 %%c5', '\\C1;red', '\\pi-1,l2;First', '\\pxqc;Middle', '\\pi0,l4,t4;1.^IDrill', '\\c255;red', '10\\~mm', 'one\\Ntwo', '{\\pql;{\\c16711680;Note}: 5\\~pcs}'])
  console.log(`${text}  ${JSON.stringify(parseDxfMTextContent(text))}`);
JS
echo "@dxfom/mtext $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@dxfom/mtext/package.json')).version")" >&2
node run.cjs | tee out
diff out - <<'END'
\H2.5;high  [{"H":[2.5,""]},"high"]
one\Ptwo  ["one\ntwo"]
45\U+00B0 %%c5  ["45° ⌀5"]
\C1;red  [{"C":1},"red"]
\pi-1,l2;First  ["pi-1,l2;First"]
\pxqc;Middle  ["pxqc;Middle"]
\pi0,l4,t4;1.^IDrill  ["pi0,l4,t4;1.^IDrill"]
\c255;red  ["c255;red"]
10\~mm  ["10~mm"]
one\Ntwo  ["oneNtwo"]
{\pql;{\c16711680;Note}: 5\~pcs}  [["pql;",["c16711680;Note"],": 5~pcs"]]
END
