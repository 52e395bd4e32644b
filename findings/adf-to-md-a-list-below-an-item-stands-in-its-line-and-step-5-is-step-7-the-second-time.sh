#!/usr/bin/env bash
# adf-to-md 1.2.1 (npm), the Atlassian Document Format of Jira and Confluence to Markdown; marked 16.4.1 reads what comes out.
# Behaviour: a list or a block of code below an item is written into the line of the item, so that both are one text: "today   * pack". Two paragraphs of an item become one line. Two
# paragraphs of a cell stick together: 10 and 15 are 1015. A hard line break becomes a plain one, which Markdown reads as a blank. A bold word with a blank behind it keeps its stars.
# And convert() counts in the document itself: a list from 5 starts at 7 when the same document is converted again. No warning comes, though there are warnings for what is dropped.
# Seen:   "  * today   * pack" / 1015 / "**total **5" / second time "7. pack"
# Expected by most: a list in a list, two lines, a bold word, 5 each time.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts adf-to-md@1.2.1 marked@16.4.1 2> /dev/null
cat > run.cjs <<'JS'
const { convert } = require('adf-to-md');
const { marked } = require('marked');

const say = (text, ...marks) => ({ type: 'text', text, ...(marks.length ? { marks: marks.map((type) => ({ type })) } : {}) });
const words = (...content) => ({ type: 'paragraph', content: content.map((one) => typeof one === 'string' ? say(one) : one) });
const item = (text, ...more) => ({ type: 'listItem', content: [words(text), ...more] });
const bullets = (...content) => ({ type: 'bulletList', content });
const cell = (type, ...texts) => ({ type, attrs: {}, content: texts.map((one) => words(one)) });
const row = (...content) => ({ type: 'tableRow', content });
function show(name, ...content) {
  const { result, warnings } = convert({ type: 'doc', version: 1, content });
  console.log(`${name}, ${[...warnings ?? []].length} warnings\n    ${JSON.stringify(result)}\n    read by marked: ${JSON.stringify(marked(result).trim())}`);
}
show('list in a list', bullets(item('today', bullets(item('pack'), item('ship'))), item('tomorrow')));
show('code below an item', bullets(item('run', { type: 'codeBlock', attrs: {}, content: [say('make install')] }), item('check')));
show('two paragraphs of an item', bullets(item('pay 10', words('15 is too much'))));
show('two paragraphs of a cell', { type: 'table', content: [row(cell('tableHeader', 'price')), row(cell('tableCell', '10', '15'))] });
show('hard break', words('Main Street 5', { type: 'hardBreak' }, '10115 Berlin'));
const list = { type: 'doc', version: 1, content: [{ type: 'orderedList', attrs: { order: 5 }, content: [item('pack'), item('ship')] }] };
for (const time of ['first', 'second', 'third']) console.log(`${time} time: ${JSON.stringify(convert(list).result)}`);
show('bold', words(say('total ', 'strong'), '5'));
JS
echo "adf-to-md $(node -p "JSON.parse(require('fs').readFileSync('node_modules/adf-to-md/package.json')).version")"
node run.cjs 2> /dev/null | tee out
diff out - <<'END'
list in a list, 0 warnings
    "  * today   * pack\n  * ship\n  * tomorrow"
    read by marked: "<ul>\n<li>today   * pack</li>\n<li>ship</li>\n<li>tomorrow</li>\n</ul>"
code below an item, 0 warnings
    "  * run ``` undefined\nmake install\n```\n  * check"
    read by marked: "<ul>\n<li>run ``` undefined\nmake install</li>\n</ul>\n<pre><code>  * check\n</code></pre>"
two paragraphs of an item, 0 warnings
    "  * pay 10 15 is too much"
    read by marked: "<ul>\n<li>pay 10 15 is too much</li>\n</ul>"
two paragraphs of a cell, 0 warnings
    "|price|\n|:-:|\n|1015|\n"
    read by marked: "<table>\n<thead>\n<tr>\n<th align=\"center\">price</th>\n</tr>\n</thead>\n<tbody><tr>\n<td align=\"center\">1015</td>\n</tr>\n</tbody></table>"
hard break, 0 warnings
    "Main Street 5\n10115 Berlin"
    read by marked: "<p>Main Street 5\n10115 Berlin</p>"
first time: "  5. pack\n  6. ship"
second time: "  7. pack\n  8. ship"
third time: "  9. pack\n  10. ship"
bold, 0 warnings
    "**total **5"
    read by marked: "<p>**total **5</p>"
END
