#!/usr/bin/env bash
# markdown-to-slack-blocks 1.5.0 (npm), Markdown to blocks of Slack; marked 16.4.1 reads the same text.
# Behaviour: a block of code within a list is not there, neither is a list within a quote. The second paragraph of an item sticks to the first, and so
# do two lines with a hard break between them: "Main Street 5  " and "10115 Berlin" are "Main Street 510115 Berlin". Done and open tasks look alike, and a list from 5 starts at 1.
# Seen:   1. run (no code) 2. check / > Rules: (no rules) / Main Street 510115 Berlin / paid, sent
# Expected by most: all that was said, and the lines apart.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts markdown-to-slack-blocks@1.5.0 marked@16.4.1 2> /dev/null
cat > run.cjs <<'JS'
const { markdownToBlocks } = require('markdown-to-slack-blocks');
const { marked } = require('marked');

const show = (one) => Array.isArray(one) ? one.map(show).join('') : one.text?.text ?? (one.type === 'text' ? one.text : `<${(one.style?.bold === undefined && one.style) || one.type}>${show(one.elements ?? [])}`);
for (const text of [
  '1. run\n\n   ```sh\n   make install\n   ```\n2. check', '> Rules:\n> - no fire\n> - no dogs', '- open it\n\n  Then wait.\n- close it', 'Main Street 5  \n10115 Berlin', 'Main Street 5\\\n10115 Berlin',
  '- [x] paid\n- [ ] sent', '5. pack\n6. ship', 'one line\nand another',
]) console.log(`${JSON.stringify(text)}\n    blocks: ${JSON.stringify(markdownToBlocks(text).map(show).join(' + '))}\n    marked: ${JSON.stringify(marked(text).trim())}`);
JS
echo "markdown-to-slack-blocks $(node -p "JSON.parse(require('fs').readFileSync('node_modules/markdown-to-slack-blocks/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
"1. run\n\n   ```sh\n   make install\n   ```\n2. check"
    blocks: "<rich_text><rich_text_list><rich_text_section>run<rich_text_section>check"
    marked: "<ol>\n<li><p>run</p>\n<pre><code class=\"language-sh\">make install\n</code></pre>\n</li>\n<li><p>check</p>\n</li>\n</ol>"
"> Rules:\n> - no fire\n> - no dogs"
    blocks: "<rich_text><rich_text_quote>Rules:"
    marked: "<blockquote>\n<p>Rules:</p>\n<ul>\n<li>no fire</li>\n<li>no dogs</li>\n</ul>\n</blockquote>"
"- open it\n\n  Then wait.\n- close it"
    blocks: "<rich_text><rich_text_list><rich_text_section>open itThen wait.<rich_text_section>close it"
    marked: "<ul>\n<li><p>open it</p>\n<p>Then wait.</p>\n</li>\n<li><p>close it</p>\n</li>\n</ul>"
"Main Street 5  \n10115 Berlin"
    blocks: "Main Street 510115 Berlin"
    marked: "<p>Main Street 5<br>10115 Berlin</p>"
"Main Street 5\\\n10115 Berlin"
    blocks: "Main Street 510115 Berlin"
    marked: "<p>Main Street 5<br>10115 Berlin</p>"
"- [x] paid\n- [ ] sent"
    blocks: "<rich_text><rich_text_list><rich_text_section>paid<rich_text_section>sent"
    marked: "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> paid</li>\n<li><input disabled=\"\" type=\"checkbox\"> sent</li>\n</ul>"
"5. pack\n6. ship"
    blocks: "<rich_text><rich_text_list><rich_text_section>pack<rich_text_section>ship"
    marked: "<ol start=\"5\">\n<li>pack</li>\n<li>ship</li>\n</ol>"
"one line\nand another"
    blocks: "one line\nand another"
    marked: "<p>one line\nand another</p>"
END
