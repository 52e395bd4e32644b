#!/usr/bin/env bash
# node-html-parser 9.0.7 (npm), a fast HTML parser of many scrapers and page readers, default settings.
# Behaviour: what is in <pre> is not parsed. Its text has the tags of the highlighted code in it, <code class="language-py"><span>..., and no selector finds
# anything there. What is in <code> alone or in <textarea> is parsed. structuredText, which is for reading, also makes the line breaks of the
# <pre> spaces. Scripts and styles are in the text.
# Seen:   <pre><code><span>a</span>: text "<code><span>a</span>...", 0 spans / <code><span>a</span>: text "a", 1 span / structuredText: one line
# Expected by most: the text of an element is text, in <pre> above all.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node-html-parser@9.0.7
cat > run.mjs <<'JS'
import { parse } from 'node-html-parser';
for (const html of ['<pre><code class="py"><span>a</span> = 1\n  b</code></pre>', '<pre>a = <b>1</b>\n  b</pre>', '<code><span>a</span></code>', '<textarea><span>a</span></textarea>', '<script>var a</script><p>b</p>']) {
  const page = parse(html);
  console.log(JSON.stringify(html) + ': text ' + JSON.stringify(page.text) + ' structuredText ' + JSON.stringify(page.structuredText) + ' found ' + page.querySelectorAll('span, b').length);
}
JS
echo "node-html-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/node-html-parser/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
"<pre><code class=\"py\"><span>a</span> = 1\n  b</code></pre>": text "<code class=\"py\"><span>a</span> = 1\n  b</code>" structuredText "<code class=\"py\"><span>a</span> = 1 b</code>" found 0
"<pre>a = <b>1</b>\n  b</pre>": text "a = <b>1</b>\n  b" structuredText "a = <b>1</b> b" found 0
"<code><span>a</span></code>": text "a" structuredText "a" found 1
"<textarea><span>a</span></textarea>": text "a" structuredText "a" found 1
"<script>var a</script><p>b</p>": text "var ab" structuredText "var a\nb" found 0
END
