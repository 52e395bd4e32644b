#!/usr/bin/env bash
# notion-to-md 3.1.9 (npm), blocks of Notion to Markdown, by blocksToMarkdown() as in the README and by pageToMarkdown(); marked 16.4.1 reads what comes out.
# Behaviour: from a list of blocks a numbered list becomes bullets, though one within an item keeps its numbers; only pageToMarkdown() numbers both. What a heading hides (a toggle) is
# set in by four blanks, so that it is read as code, markup and all. A bar in a cell starts a new column and pushes the rest out; a line break in a cell starts a new row.
# Seen:   1. pack -> - pack / hidden paragraph -> a block of code / cell "a|b" -> two cells, "either" is gone
# Expected by most: numbers, a paragraph, one cell.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts notion-to-md@3.1.9 marked@16.4.1 2> /dev/null
cat > run.cjs <<'JS'
const { NotionToMarkdown } = require('notion-to-md');
const { marked } = require('marked');

const below = {};
const notionClient = { blocks: { children: { list: async ({ block_id }) => ({ results: below[block_id] ?? [], has_more: false, next_cursor: null }) } } };
const text = (content, more) => ({ type: 'text', plain_text: content, href: null, text: { content, link: null }, annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default', ...more } });
let count = 0;
function block(type, content, children) {
  const one = { object: 'block', id: `block${++count}`, type, has_children: Boolean(children), [type]: content };
  if (children) below[one.id] = children;
  return one;
}
const words = (type, ...rest) => block(type, { rich_text: [text(rest[0])], color: 'default' }, rest[1]);
async function show(name, ...blocks) {
  below.page = blocks;
  for (const title of ['blocksToMarkdown', 'pageToMarkdown']) {
    const reader = new NotionToMarkdown({ notionClient });
    const markdown = reader.toMarkdownString(await (title[0] === 'b' ? reader.blocksToMarkdown(blocks) : reader.pageToMarkdown('page'))).parent;
    console.log(`${name}, ${title}\n    ${JSON.stringify(markdown.trim())}\n    read by marked: ${JSON.stringify(marked(markdown).trim())}`);
  }
}
(async () => {
  await show('numbers', words('numbered_list_item', 'pack', [words('numbered_list_item', 'box')]), words('numbered_list_item', 'ship'));
  await show('hidden', block('heading_2', { rich_text: [text('Notes')], color: 'default', is_toggleable: true }, [words('paragraph', 'call & pay')]));
  await show('table', block('table', { table_width: 2, has_column_header: true, has_row_header: false }, [
    block('table_row', { cells: [[text('key')], [text('meaning')]] }), block('table_row', { cells: [[text('a|b')], [text('either')]] }), block('table_row', { cells: [[text('c')], [text('one\ntwo')]] }),
  ]));
})();
JS
echo "notion-to-md $(node -p "JSON.parse(require('fs').readFileSync('node_modules/notion-to-md/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
numbers, blocksToMarkdown
    "- pack\n    1. box\n- ship"
    read by marked: "<ul>\n<li>pack<ol>\n<li>box</li>\n</ol>\n</li>\n<li>ship</li>\n</ul>"
numbers, pageToMarkdown
    "1. pack\n    1. box\n2. ship"
    read by marked: "<ol>\n<li>pack<ol>\n<li>box</li>\n</ol>\n</li>\n<li>ship</li>\n</ol>"
hidden, blocksToMarkdown
    "## Notes\n\n\n    call & pay"
    read by marked: "<h2>Notes</h2>\n<pre><code>call &amp; pay\n</code></pre>"
hidden, pageToMarkdown
    "## Notes\n\n\n    call & pay"
    read by marked: "<h2>Notes</h2>\n<pre><code>call &amp; pay\n</code></pre>"
table, blocksToMarkdown
    "| key | meaning |\n| --- | ------- |\n| a|b | either  |\n| c   | one\ntwo |"
    read by marked: "<table>\n<thead>\n<tr>\n<th>key</th>\n<th>meaning</th>\n</tr>\n</thead>\n<tbody><tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr>\n<td>c</td>\n<td>one</td>\n</tr>\n<tr>\n<td>two</td>\n<td></td>\n</tr>\n</tbody></table>"
table, pageToMarkdown
    "| key | meaning |\n| --- | ------- |\n| a|b | either  |\n| c   | one\ntwo |"
    read by marked: "<table>\n<thead>\n<tr>\n<th>key</th>\n<th>meaning</th>\n</tr>\n</thead>\n<tbody><tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr>\n<td>c</td>\n<td>one</td>\n</tr>\n<tr>\n<td>two</td>\n<td></td>\n</tr>\n</tbody></table>"
END
