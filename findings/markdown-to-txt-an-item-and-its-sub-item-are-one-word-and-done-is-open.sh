#!/usr/bin/env bash
# markdown-to-txt 2.0.1 (npm), Markdown to plain text; with lodash 4.17.21, which it needs and does not bring; marked 16.4.1 shows what the text means.
# Behaviour: the first item below an item sticks to it: "- Room 1" with "- 5 chairs" below is "Room 15 chairs", with empty lines after it. The numbers of a list go, so "see step 2" leads
# nowhere, and done and open tasks look alike. A line of <br> leaves nothing: 2<br>3 is 23. The columns of a table are apart by a blank only, so an empty cell is not seen.
# Seen:   Room 15 chairs / pack, ship / paid, sent / 23 / "pen  2" and "2"
# Expected by most: an item a line, numbers, a mark of what is done.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts markdown-to-txt@2.0.1 lodash@4.17.21 marked@16.4.1 2> /dev/null
cat > run.cjs <<'JS'
const found = require('markdown-to-txt');
const { marked } = require('marked');

const plain = found.markdownToTxt ?? found.default;
for (const text of [
  '- Room 1\n  - 5 chairs\n  - 2 tables\n- Room 2', '1. Open\n   - the door\n2. Go to step 1', '- [x] paid\n- [ ] sent', '2<br>3 pieces', '| item | old | new |\n|---|---|---|\n| pen | | 2 |\n| cup | 3 | |', '- pack\n- ship',
]) console.log(`${JSON.stringify(text)}\n    markdown-to-txt: ${JSON.stringify(plain(text))}\n    marked:          ${JSON.stringify(marked(text).trim().replace(/\n/g, ''))}`);
JS
echo "markdown-to-txt $(node -p "JSON.parse(require('fs').readFileSync('node_modules/markdown-to-txt/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
"- Room 1\n  - 5 chairs\n  - 2 tables\n- Room 2"
    markdown-to-txt: "Room 15 chairs\n2 tables\n\n\nRoom 2"
    marked:          "<ul><li>Room 1<ul><li>5 chairs</li><li>2 tables</li></ul></li><li>Room 2</li></ul>"
"1. Open\n   - the door\n2. Go to step 1"
    markdown-to-txt: "Openthe door\n\n\nGo to step 1"
    marked:          "<ol><li>Open<ul><li>the door</li></ul></li><li>Go to step 1</li></ol>"
"- [x] paid\n- [ ] sent"
    markdown-to-txt: "paid\nsent"
    marked:          "<ul><li><input checked=\"\" disabled=\"\" type=\"checkbox\"> paid</li><li><input disabled=\"\" type=\"checkbox\"> sent</li></ul>"
"2<br>3 pieces"
    markdown-to-txt: "23 pieces"
    marked:          "<p>2<br>3 pieces</p>"
"| item | old | new |\n|---|---|---|\n| pen | | 2 |\n| cup | 3 | |"
    markdown-to-txt: "item old new\npen  2\ncup 3"
    marked:          "<table><thead><tr><th>item</th><th>old</th><th>new</th></tr></thead><tbody><tr><td>pen</td><td></td><td>2</td></tr><tr><td>cup</td><td>3</td><td></td></tr></tbody></table>"
"- pack\n- ship"
    markdown-to-txt: "pack\nship"
    marked:          "<ul><li>pack</li><li>ship</li></ul>"
END
