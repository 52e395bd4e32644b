#!/usr/bin/env bash
# tabletojson 4.1.15 (npm), tables of web pages as JSON, default settings.
# Behaviour: each <th> of any row is taken for the name of the column at its place among the <th>. In the usual table with a heading at the start
# of each row, the name of the first column becomes that of the last row ("South"), the row headings are gone, and every figure stands one column
# further left: those of 2024 under 2023, those of 2023 under "South", the line of the North too. A heading over two columns (colspan) shifts what
# follows likewise: GB as the price.
# Seen:   North 1 2, South 3 4: [{"2023":"2","South":"1"},{"2023":"4","South":"3"}] / Size over two columns: "Price":"GB","3":"10"
# Expected by most: {"Region":"North","2023":"1","2024":"2"}; spans of cells (rowspan) are read rightly, after all.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund tabletojson@4.1.15
cat > run.mjs <<'JS'
import { tabletojson } from 'tabletojson';
const pages = {
  'row headings': '<table><thead><tr><th>Region</th><th>2023</th><th>2024</th></tr></thead><tbody>'
    + '<tr><th scope="row">North</th><td>1</td><td>2</td></tr>'
    + '<tr><th scope="row">South</th><td>3</td><td>4</td></tr></tbody></table>',
  'keys and values': '<table><tr><th>CPU</th><td>8</td></tr><tr><th>RAM</th><td>64</td></tr></table>',
  'wide heading': '<table><tr><th>Name</th><th colspan="2">Size</th><th>Price</th></tr>'
    + '<tr><td>disk</td><td>5</td><td>GB</td><td>10</td></tr></table>',
  'plain cells': '<table><tr><th>Region</th><th>2023</th></tr><tr><td>North</td><td>1</td></tr></table>',
};
for (const [name, page] of Object.entries(pages)) console.log(name + ': ' + JSON.stringify(tabletojson.convert(page)));
JS
echo "tabletojson $(node -p "JSON.parse(require('fs').readFileSync('node_modules/tabletojson/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
row headings: [[{"2023":"2","South":"1"},{"2023":"4","South":"3"}]]
keys and values: [[{"RAM":"8"},{"RAM":"64"}]]
wide heading: [[{"3":"10","Name":"disk","Size":"5","Price":"GB"}]]
plain cells: [[{"2023":"1","Region":"North"}]]
END
