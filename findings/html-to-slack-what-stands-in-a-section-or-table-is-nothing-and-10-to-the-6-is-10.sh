#!/usr/bin/env bash
# html-to-slack 0.3.7 (npm), HTML as blocks of Slack.
# Behaviour: tags that the package does not know are dropped with all that is in them. What stands in a section, an article, a table or a list of terms, and
# plain text in a div, is nothing: no block and no error. In a sentence sup, sub, kbd, mark, time, small and q are gone, so 10 to the 6th is 10 and
# "Press Ctrl+C" is "Press". A heading keeps only its first plain words: its code is gone with all behind it.
# Seen:   <section><p>Paid: 5</p></section>: [] / 10<sup>6</sup> cells: "10 cells" / <h2>Call <code>run</code> twice</h2>: "Call"
# Expected by most: the text of such tags, without their look.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts html-to-slack@0.3.7 2> /dev/null
cat > run.cjs <<'JS'
const found = require('html-to-slack');
const convert = found.htmlToSlack ?? found.default ?? found;
const words = (one) => (Array.isArray(one) ? one.map(words).join('') : typeof one !== 'object' ? '' : typeof one.text === 'string' ? one.text : words(Object.values(one)));
const pages = ['<p>Paid: 5</p>', '<div>Paid: 5</div>', '<section><p>Paid: 5</p></section>', '<p>Bill</p><section><p>Paid: 5</p></section><p>End</p>', '<table><tr><td>Paid</td><td>5</td></tr></table>',
  '<p>10<sup>6</sup> cells in H<sub>2</sub>O</p>', '<p>Press <kbd>Ctrl+C</kbd> <mark>now</mark>, at <time>10:00</time>.</p>', '<h2>Call <code>run</code> twice</h2>',
  '<dl><dt>Price</dt><dd>5</dd></dl>', '<p>a <em>b</em> <u>c</u></p>'];
for (const page of pages) {
  const blocks = convert(page);
  console.log(`${page}\n    ${blocks.length} blocks, text ${JSON.stringify(words(blocks).trim())}`);
}
JS
echo "html-to-slack $(node -p "JSON.parse(require('fs').readFileSync('node_modules/html-to-slack/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
<p>Paid: 5</p>
    1 blocks, text "Paid: 5"
<div>Paid: 5</div>
    0 blocks, text ""
<section><p>Paid: 5</p></section>
    0 blocks, text ""
<p>Bill</p><section><p>Paid: 5</p></section><p>End</p>
    1 blocks, text "Bill\nEnd"
<table><tr><td>Paid</td><td>5</td></tr></table>
    0 blocks, text ""
<p>10<sup>6</sup> cells in H<sub>2</sub>O</p>
    1 blocks, text "10 cells in HO"
<p>Press <kbd>Ctrl+C</kbd> <mark>now</mark>, at <time>10:00</time>.</p>
    1 blocks, text "Press  , at ."
<h2>Call <code>run</code> twice</h2>
    1 blocks, text "Call"
<dl><dt>Price</dt><dd>5</dd></dl>
    0 blocks, text ""
<p>a <em>b</em> <u>c</u></p>
    1 blocks, text "a b c"
END
