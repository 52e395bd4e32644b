#!/usr/bin/env bash
# dom-to-semantic-markdown 1.5.0 (npm), convertHtmlToMarkdown with the DOMParser of linkedom 0.18.12 (npm), default settings.
# Behaviour: a struck price is written like a price that counts. A numbered list that starts at 5 starts at 1. A line break in a cell is a real
# line break, so the row is torn and the table ends there. A <pre> without <code> inside is plain text without a
# fence. A paragraph that begins with "1." or "#" becomes a list or a heading.
# Seen:   "Price 80 EUR 60 EUR" / 1. Open / | Mon-Fri (line break) 9-17 | / 1. April is closed
# Expected by most: a mark for what is struck out, "5. Open", one row a row, a fence, and a backslash before "1."
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund dom-to-semantic-markdown@1.5.0 linkedom@0.18.12
cat > read.mjs <<'JS'
import fs from 'fs';
import { convertHtmlToMarkdown } from 'dom-to-semantic-markdown';
import { DOMParser } from 'linkedom';
console.log('dom-to-semantic-markdown', JSON.parse(fs.readFileSync('node_modules/dom-to-semantic-markdown/package.json')).version);
const pages = {
  struck: '<p>Price <del>80 EUR</del> 60 EUR</p>',
  list: '<ol start="5"><li>Open</li><li>Close</li></ol>',
  table: '<table><tr><th>Day</th><th>Hours</th></tr><tr><td>Mon<br>Fri</td><td>9-17</td></tr><tr><td>Sat</td><td>9-12</td></tr></table>',
  code: '<p>Run</p><pre>pump --start\n  --slow</pre>',
  paragraph: '<p>1. April is closed.</p><p># is the key for help.</p>',
};
for (const [name, body] of Object.entries(pages)) {
  console.log('--', name);
  console.log(convertHtmlToMarkdown('<html><body>' + body + '</body></html>', { overrideDOMParser: new DOMParser() }).trim());
}
JS
node read.mjs | tee out
diff out - <<'END'
dom-to-semantic-markdown 1.5.0
-- struck
Price 80 EUR 60 EUR
-- list
1. Open
2. Close
-- table
| Day | Hours |
| --- | --- |
| Mon
Fri | 9-17 |
| Sat | 9-12 |
-- code
Run

pump --start
  --slow
-- paragraph
1. April is closed.

# is the key for help.
END
