#!/usr/bin/env bash
# turndown 7.2.5 (npm), the HTML to Markdown converter of many fetch tools, with fences and # headings switched on.
# Behaviour: a <pre> is a code block only if a <code> is its first child. Without it, as Sphinx, Pygments and man pages write it, it becomes ordinary
# text with backslashes before each _ and *, where lines run together once it is read as Markdown. What stands in <script>, <style> and <title> is
# in the text as well, and cells of a table are paragraphs, without any sign of the rows.
# Seen:   pre: def a\_b():\n    return 1\*2 / pre with code: fenced / script: var a = 1 in the text / table: a, b, 1, 2 as four paragraphs
# Expected by most: every <pre> is code, and scripts are left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund turndown@7.2.5
cat > run.cjs <<'JS'
const Turndown = require('turndown');
const reader = new Turndown({ codeBlockStyle: 'fenced', headingStyle: 'atx' });
const show = (name, html) => console.log(name + ': ' + JSON.stringify(reader.turndown(html)));
show('pre', '<div class="highlight"><pre><span>def</span> a_b():\n    return 1*2\n</pre></div>');
show('pre with code', '<pre><code class="language-py">def a_b():\n    return 1*2\n</code></pre>');
show('script', '<title>T</title><script>var a = 1</script><style>p {}</style><p>text</p>');
show('table', '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>');
JS
echo "turndown $(node -p "JSON.parse(require('fs').readFileSync('node_modules/turndown/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
pre: "def a\\_b():\n    return 1\\*2"
pre with code: "```py\ndef a_b():\n    return 1*2\n```"
script: "Tvar a = 1p {}\n\ntext"
table: "a\n\nb\n\n1\n\n2"
END
