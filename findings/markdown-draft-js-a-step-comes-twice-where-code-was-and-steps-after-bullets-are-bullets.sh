#!/usr/bin/env bash
# markdown-draft-js 2.4.0 (npm), Markdown to the content of Draft.js editors and back; marked 16.4.1 reads the same text.
# Behaviour: where a block of code stands below a step, the step comes once more and the code is gone: run, run, check. After bullets below a step all later steps are bullets too. A second
# paragraph of an item becomes an item of its own. Markdown that goes there and back is then another list, and nothing says so.
# Seen:   1. run (code) 2. check -> 1. run 2. run 3. check / 1. open (- door) 2. close -> 1. open - door - close
# Expected by most: the code, the second step.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts markdown-draft-js@2.4.0 marked@16.4.1 2> /dev/null
cat > run.cjs <<'JS'
const { markdownToDraft, draftToMarkdown } = require('markdown-draft-js');
const { marked } = require('marked');

for (const text of [
  '1. run\n\n   ```\n   make install\n   ```\n2. check', '1. open\n   - door\n2. close\n3. lock', '- open\n\n  Then wait.\n- close', '> Rules\n>\n> - no fire', '1. pack\n2. ship',
]) {
  const content = markdownToDraft(text);
  const blocks = content.blocks.map((one) => `${one.type.replace('-list-item', '')} ${one.depth} ${JSON.stringify(one.text)}`).join(', ');
  console.log(`${JSON.stringify(text)}\n    blocks: ${blocks}\n    back:   ${JSON.stringify(draftToMarkdown(content))}\n    marked: ${marked(text).trim().replace(/\n/g, '')}`);
}
JS
echo "markdown-draft-js $(node -p "JSON.parse(require('fs').readFileSync('node_modules/markdown-draft-js/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
"1. run\n\n   ```\n   make install\n   ```\n2. check"
    blocks: ordered 0 "run", ordered 0 "run", ordered 0 "check"
    back:   "1. run\n2. run\n3. check"
    marked: <ol><li><p>run</p><pre><code>make install</code></pre></li><li><p>check</p></li></ol>
"1. open\n   - door\n2. close\n3. lock"
    blocks: ordered 0 "open", unordered 1 "door", unordered 0 "close", unordered 0 "lock"
    back:   "1. open\n    - door\n- close\n- lock"
    marked: <ol><li>open<ul><li>door</li></ul></li><li>close</li><li>lock</li></ol>
"- open\n\n  Then wait.\n- close"
    blocks: unordered 0 "open", unordered 0 "Then wait.", unordered 0 "close"
    back:   "- open\n- Then wait.\n- close"
    marked: <ul><li><p>open</p><p>Then wait.</p></li><li><p>close</p></li></ul>
"> Rules\n>\n> - no fire"
    blocks: blockquote 0 "Rules", unordered 1 "no fire"
    back:   "> Rules\n\n    - no fire"
    marked: <blockquote><p>Rules</p><ul><li>no fire</li></ul></blockquote>
"1. pack\n2. ship"
    blocks: ordered 0 "pack", ordered 0 "ship"
    back:   "1. pack\n2. ship"
    marked: <ol><li>pack</li><li>ship</li></ol>
END
