#!/usr/bin/env bash
# adf-to-markdown 1.0.1 (npm), the Atlassian Document Format of Jira and Confluence to Markdown.
# Behaviour: of what stands below an item only its first words and lists are kept: a block of code, a table or a quote there is gone, though each alone is written well. Nothing is said. A numbered
# list within a bulleted one becomes bullets, so its steps have no order; within a numbered one it keeps its numbers. A bar in a cell makes a new column.
# Seen:   1. run, with the code "make install" below -> "1. run" only / - prices, with a table below -> "- prices" / numbers within bullets -> "  - pack"
# Expected by most: the code, the table, the quote, numbers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts adf-to-markdown@1.0.1 2> /dev/null
cat > run.cjs <<'JS'
const { convertADFToMarkdown } = require('adf-to-markdown');

console.warn = () => {};
const words = (text) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const item = (text, ...more) => ({ type: 'listItem', content: [words(text), ...more] });
const numbers = (order, ...content) => ({ type: 'orderedList', ...(order === undefined ? {} : { attrs: { order } }), content });
const bullets = (...content) => ({ type: 'bulletList', content });
const code = (text) => ({ type: 'codeBlock', attrs: { language: 'sh' }, content: [{ type: 'text', text }] });
const cell = (text, type = 'tableCell') => ({ type, attrs: {}, content: [words(text)] });
const row = (...content) => ({ type: 'tableRow', content });
const show = (name, ...content) => console.log(`${name}: ${JSON.stringify(convertADFToMarkdown({ type: 'doc', version: 1, content }))}`);

show('numbers', numbers(5, item('pack'), item('ship')));
show('second paragraph of an item', bullets(item('pack', words('with care')), item('ship')));
show('numbers within bullets', bullets(item('today', numbers(1, item('pack'), item('ship')))));
show('numbers within numbers', numbers(1, item('today', numbers(1, item('pack'), item('ship'))), item('tomorrow')));
show('bullets within numbers', numbers(1, item('today', bullets(item('pack')))));
show('code below a step', numbers(1, item('run', code('make install')), item('check')));
show('code alone', code('make install'));
show('table below an item', bullets(item('prices', { type: 'table', content: [row(cell('pen', 'tableHeader')), row(cell('2'))] })));
show('quote alone', { type: 'blockquote', content: [words('no')] });
show('quote below an item', bullets(item('he said', { type: 'blockquote', content: [words('no')] })));
show('bar in a cell', { type: 'table', content: [row(cell('key', 'tableHeader'), cell('value', 'tableHeader')), row(cell('a|b'), cell('1'))] });
JS
echo "adf-to-markdown $(node -p "JSON.parse(require('fs').readFileSync('node_modules/adf-to-markdown/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
numbers: "5. pack\n6. ship"
second paragraph of an item: "- pack\n  with care\n- ship"
numbers within bullets: "- today\n  - pack\n  - ship"
numbers within numbers: "1. today\n  1. pack\n  2. ship\n2. tomorrow"
bullets within numbers: "1. today\n  - pack"
code below a step: "1. run\n2. check"
code alone: "```sh\nmake install\n```"
table below an item: "- prices"
quote alone: "> no"
quote below an item: "- he said"
bar in a cell: "| key | value |\n| --- | --- |\n| a|b | 1 |"
END
