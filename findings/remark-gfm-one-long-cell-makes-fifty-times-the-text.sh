#!/usr/bin/env bash
# rehype-remark 10.0.1 with remark-gfm 4.0.1 and remark-stringify 11.0.0 (npm), the usual way from HTML to Markdown in unified, default settings.
# Behaviour: every cell of a table is filled up with blanks to the width of the widest one of its column. So ONE long cell in a table of 200 rows makes the Markdown
# 50 times as large as the HTML that came in, nearly all of it blanks; the same page without that cell gets smaller. A Markdown text that is only read and
# written again grows to the same size. A setting (tablePipeAlign: false) prevents it.
# Seen:   HTML of 8,336 characters with one cell of 2,000: 406,020, 5,304 of them not blank / without the cell: 6,338 to 3,030 / Markdown again: 4,511 to 406,020
# Expected by most: Markdown is smaller than HTML, or about as large.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund unified@11.0.5 rehype-parse@9.0.1 rehype-remark@10.0.1 remark-gfm@4.0.1 remark-parse@11.0.0 remark-stringify@11.0.0
cat > run.mjs <<'JS'
import { unified } from 'unified';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
const table = (note) => '<table><tr><th>id</th><th>note</th></tr>' + Array.from({ length: 200 }, (_, i) => `<tr><td>${i}</td><td>${i === 7 ? note : 'ok'}</td></tr>`).join('') + '</table>';
const markdown = '| id | note |\n| - | - |\n' + Array.from({ length: 200 }, (_, i) => `| ${i} | ${i === 7 ? 'long '.repeat(400).trim() : 'ok'} |\n`).join('');
for (const [name, html] of [['one long cell', table('long '.repeat(400))], ['no long cell', table('ok')]]) {
  const text = String(await unified().use(rehypeParse).use(rehypeRemark).use(remarkGfm).use(remarkStringify).process(html));
  console.log(`${name}: HTML ${html.length}, Markdown ${text.length}, of it not blank ${text.replace(/ /g, '').length}`);
}
const again = String(await unified().use(remarkParse).use(remarkGfm).use(remarkStringify).process(markdown));
console.log(`Markdown ${markdown.length}, written again ${again.length}`);
JS
for name in rehype-remark remark-gfm remark-stringify; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
one long cell: HTML 8336, Markdown 406020, of it not blank 5304
no long cell: HTML 6338, Markdown 3030, of it not blank 1711
Markdown 4511, written again 406020
END
