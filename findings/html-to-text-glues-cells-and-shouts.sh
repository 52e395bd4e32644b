#!/usr/bin/env bash
# html-to-text 10.0.1 (npm), which many fetch tools and loaders of pages turn HTML into text with, default settings.
# Behaviour: a table has no sign between its cells nor between its rows, all of it is one word: the table of id and count with the rows 1, 2 and 12, 3 is
# "idcount12123". Headings are put into capitals, names of functions in them too, so a case-sensitive search for getUser misses the section about
# it. Text is broken at 80 characters; what stands in <pre> is not.
# Seen:   table: idcount12123 / heading: THE GETUSER() CALL / paragraph: lines of at most 80 characters
# Expected by most: a space, a tab or a new line between cells, and the letters of the page.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund html-to-text@10.0.1
cat > run.mjs <<'JS'
import { convert } from 'html-to-text';
console.log('table: ' + JSON.stringify(convert('<table><tr><th>id</th><th>count</th></tr><tr><td>1</td><td>2</td></tr><tr><td>12</td><td>3</td></tr></table>')));
console.log('heading: ' + convert('<h2>The getUser() call</h2>'));
console.log('paragraph: ' + Math.max(...convert('<p>' + 'word '.repeat(40) + '</p>').split('\n').map((line) => line.length)));
console.log('pre: ' + Math.max(...convert('<pre>' + 'word '.repeat(40) + '</pre>').split('\n').map((line) => line.length)));
JS
echo "html-to-text $(node -p "JSON.parse(require('fs').readFileSync('node_modules/html-to-text/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
table: "idcount12123"
heading: THE GETUSER() CALL
paragraph: 79
pre: 200
END
