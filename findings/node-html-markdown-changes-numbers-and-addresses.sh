#!/usr/bin/env bash
# node-html-markdown 2.0.0 (npm), a fast HTML to Markdown converter.
# Behaviour: a list that begins at 7 begins at 1. Underscores and stars in addresses are written as %5F and %2A, so that the address is not the one of the page.
# A second paragraph of a list's item stands at the margin, outside of the list. A line break in a table's cell is taken out, and the
# words around it become one. A <pre> without <code> is plain text.
# Seen:   list: 1. x / address: <https://x.example/b%5Fc?q=%2A> / item: * x  \ny / cell: 8 GB16 GB
# Expected by most: numbers and addresses as they are in the page.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node-html-markdown@2.0.0
cat > run.cjs <<'JS'
const { NodeHtmlMarkdown } = require('node-html-markdown');
const show = (name, html) => console.log(name + ': ' + JSON.stringify(NodeHtmlMarkdown.translate(html)));
show('list', '<ol start="7"><li>x</li><li>y</li></ol>');
show('address', '<a href="https://x.example/b_c?q=*">https://x.example/b_c?q=*</a>');
show('link', '<a href="https://x.example/b_c">page</a>');
show('item', '<ul><li><p>x</p><p>y</p></li></ul>');
show('cell', '<table><tr><td>memory</td><td>8 GB<br>16 GB</td></tr></table>');
show('pre', '<pre># note\nls</pre>');
JS
echo "node-html-markdown $(node -p "JSON.parse(require('fs').readFileSync('node_modules/node-html-markdown/package.json')).version")"
node run.cjs | tee out
grep -qx 'list: "1. x\\n2. y"' out && grep -qx 'address: "<https://x.example/b%5Fc?q=%2A>"' out && grep -qx 'link: "\[page\](https://x.example/b%5Fc)"' out
grep -qx 'item: "\* x  \\ny"' out && grep -q '^cell: .*8 GB16 GB' out && grep -qx 'pre: "# note\\nls"' out
