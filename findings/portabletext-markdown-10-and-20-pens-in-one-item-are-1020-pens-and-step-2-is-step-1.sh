#!/usr/bin/env bash
# @portabletext/markdown 2.2.0 (npm), Markdown to Portable Text and back; marked 16.4.1 reads the same text.
# Behaviour: the paragraphs of one item of a list stick together without a blank: "10" and "20 pens" are "1020 pens". The README says that the meaning is kept, and it keeps hard breaks. <br> leaves
# nothing: 2<br>3 is 23. A block of code or a text between two steps ends the list, so on the way back step 2 is a second step 1, and the list from 5 starts at 1.
# Seen:   - 10 / 20 pens -> "- 1020 pens" / 2<br>3 pieces -> "23 pieces" / 1. run (code) 2. check -> 1. run (code) 1. check
# Expected by most: at least a line break between, 1. and 2.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @portabletext/markdown@2.2.0 marked@16.4.1 2> /dev/null
cat > run.mjs <<'JS'
import { markdownToPortableText, portableTextToMarkdown } from '@portabletext/markdown';
import { marked } from 'marked';

for (const text of ['- 10\n\n  20 pens\n- cups', '- open\n\n  Then wait.\n- close', 'Main Street 5  \n10115 Berlin', '2<br>3 pieces', '1. run\n\n   ```\n   make\n   ```\n2. check', '5. pack\n6. ship']) {
  const blocks = markdownToPortableText(text);
  const shown = blocks.map((one) => `${one.listItem ?? one._type} ${JSON.stringify((one.children ?? []).map((part) => part.text).join('|'))}`).join(', ');
  console.log(`${JSON.stringify(text)}\n    blocks: ${shown}\n    back:   ${JSON.stringify(portableTextToMarkdown(blocks))}\n    marked: ${marked(text).trim().replace(/\n/g, '')}`);
}
JS
echo "@portabletext/markdown $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@portabletext/markdown/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
"- 10\n\n  20 pens\n- cups"
    blocks: bullet "1020 pens", bullet "cups"
    back:   "- 1020 pens\n- cups"
    marked: <ul><li><p>10</p><p>20 pens</p></li><li><p>cups</p></li></ul>
"- open\n\n  Then wait.\n- close"
    blocks: bullet "openThen wait.", bullet "close"
    back:   "- openThen wait.\n- close"
    marked: <ul><li><p>open</p><p>Then wait.</p></li><li><p>close</p></li></ul>
"Main Street 5  \n10115 Berlin"
    blocks: block "Main Street 5\n10115 Berlin"
    back:   "Main Street 5  \n10115 Berlin"
    marked: <p>Main Street 5<br>10115 Berlin</p>
"2<br>3 pieces"
    blocks: block "23 pieces"
    back:   "23 pieces"
    marked: <p>2<br>3 pieces</p>
"1. run\n\n   ```\n   make\n   ```\n2. check"
    blocks: number "run", code "", number "check"
    back:   "1. run\n\n```\nmake\n```\n\n1. check"
    marked: <ol><li><p>run</p><pre><code>make</code></pre></li><li><p>check</p></li></ol>
"5. pack\n6. ship"
    blocks: number "pack", number "ship"
    back:   "1. pack\n2. ship"
    marked: <ol start="5"><li>pack</li><li>ship</li></ol>
END
