#!/usr/bin/env bash
# bbcode-to-markdown 1.0.3 (npm), its Markdown read by marked 16.4.2 (npm).
# Behaviour: the line after a [code] block is written behind the closing fence, where a fence may not have text: the code never ends, and the rest of the post
# is code. Of two code blocks one after the other the second is prose. Code within a sentence takes a part of the sentence with it. Tags within code are
# taken away, and an index [i] in code gets an [/i] at the end.
# Seen:   [code]a = 1[/code] and a line "Then *stop*.": one code block with both / [code]<b>&amp;[/code]: the code "&"
# Expected by most: the code, then a paragraph; the code as it was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts bbcode-to-markdown@1.0.3 marked@16.4.2 2> /dev/null
cat > run.mjs <<'JS'
import convert from 'bbcode-to-markdown';
import { marked } from 'marked';
const posts = ['[code]a = 1[/code]\nThen *stop*.', '[code]a[/code]\n[code]b[/code]', 'Use [code]ls -l[/code] to list.\nThen [b]stop[/b].', '[code]<b>&amp;[/code]',
  '[code]x = a[i] + 1[/code]', '[quote]q[/quote]\nThen *stop*.'];
for (const post of posts) {
  const made = convert(post);
  console.log(`${JSON.stringify(post)}\n    Markdown: ${JSON.stringify(made)}\n    HTML:     ${JSON.stringify(marked.parse(made))}`);
}
JS
for one in bbcode-to-markdown marked; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
"[code]a = 1[/code]\nThen *stop*."
    Markdown: "```\na = 1\n```Then *stop*."
    HTML:     "<pre><code>a = 1\n```Then *stop*.\n</code></pre>\n"
"[code]a[/code]\n[code]b[/code]"
    Markdown: "```\na\n``````\nb\n```"
    HTML:     "<pre><code>a\n</code></pre>\n<p>b\n```</p>\n"
"Use [code]ls -l[/code] to list.\nThen [b]stop[/b]."
    Markdown: "Use```\nls -l\n```to list.\nThen **stop**."
    HTML:     "<p>Use```\nls -l</p>\n<pre><code class=\"language-to\">Then **stop**.\n</code></pre>\n"
"[code]<b>&amp;[/code]"
    Markdown: "```\n&\n```"
    HTML:     "<pre><code>&amp;\n</code></pre>\n"
"[code]x = a[i] + 1[/code]"
    Markdown: "```\nx = a[i] + 1[/i]\n```"
    HTML:     "<pre><code>x = a[i] + 1[/i]\n</code></pre>\n"
"[quote]q[/quote]\nThen *stop*."
    Markdown: "> q\n\nThen *stop*."
    HTML:     "<blockquote>\n<p>q</p>\n</blockquote>\n<p>Then <em>stop</em>.</p>\n"
END
