#!/usr/bin/env bash
# @mastra/rag 2.6.4 (npm), MDocument.fromHTML(text).chunk({ strategy: 'html', headers or sections }) and the strategy markdown.
# Behaviour: the text of each element is taken once for itself and once more for each element around it: bold words, items and cells are there two or three times, and cells are
# glued together before that. What is in <pre> is in no piece at all. Where a heading has an element around it, all text behind it is gone. In markdown with headers two sections with the same
# title become one piece; without headers the marks of headings are gone, and so is the # of a comment within code.
# Seen:   The <b>pen</b> costs <b>2</b> euros.: "The pen costs 2 euros. The  pen pen  costs  2 2  euros." / cells 1 and 2: "12 12 1 1 2 2" / <pre>make all</pre>: nothing / <header><h1>: nothing
# Expected by most: each text once; two sections; code as it is.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @mastra/rag@2.6.4
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { MDocument } from '@mastra/rag';
console.log('@mastra/rag', JSON.parse(readFileSync('node_modules/@mastra/rag/package.json')).version);
const show = async (name, document, options) => {
  console.log(`${name}:`);
  for (const { text, metadata } of await document.chunk(options)) console.log(`  ${metadata.title ?? '-'}: ${JSON.stringify(text)}`);
};
const html = '<h1>Prices</h1><p>The <b>pen</b> costs <b>2</b> euros.</p><ul><li>cup: 12</li></ul><h1>Sizes</h1><table><tr><td>1</td><td>2</td></tr></table><h1>Code</h1><pre>make all\nmake test</pre>';
await show('html, headers', MDocument.fromHTML(html), { strategy: 'html', headers: [['h1', 'title']] });
await show('html, sections', MDocument.fromHTML(html), { strategy: 'html', sections: [['h1', 'title']] });
await show('html, heading in an element', MDocument.fromHTML('<header><h1>News</h1></header><p>All shops are open.</p>'), { strategy: 'html', headers: [['h1', 'title']] });
const markdown = '# Costs\n\nIn May they rose.\n\n```sh\n# not a heading\nmake all\n```\n\n# Costs\n\nIn June they fell.\n';
await show('markdown, headers', MDocument.fromMarkdown(markdown), { strategy: 'markdown', headers: [['#', 'title']] });
await show('markdown', MDocument.fromMarkdown(markdown), { strategy: 'markdown', maxSize: 40, overlap: 0 });
JS
node run.mjs | tee out
diff out - <<'END'
@mastra/rag 2.6.4
html, headers:
  Prices: "The pen costs 2 euros. The  pen pen  costs  2 2  euros. cup: 12 cup: 12 cup: 12"
  Sizes: "12 12 1 1 2 2"
  Code: ""
html, sections:
  Prices: "The pen costs 2 euros. The  pen pen  costs  2 2  euros. cup: 12 cup: 12 cup: 12"
  Sizes: "12 12 1 1 2 2"
  Code: ""
html, heading in an element:
  News: ""
markdown, headers:
  Costs: "In May they rose.  \n```sh\n# not a heading\nmake all\n```  \nIn June they fell."
markdown:
  -: "# Costs\n\nIn May they rose.\n\n```sh"
  -: "not a heading\nmake all\n```"
  -: "Costs\n\nIn June they fell."
END
