#!/usr/bin/env bash
# npm @modelcontextprotocol/server-filesystem 2026.8.31, the official server for files, asked with @modelcontextprotocol/sdk 1.32.2 over stdio.
# Behaviour: edit_file also finds an oldText whose indents are not those of the file, and its guide says that indents are preserved. They are not: each line
# gets the indent of the FIRST line that was found, and lines beyond the number of the old ones keep the model's own. So of Python that was right in both texts comes
# code that does not parse. A file with CRLF has LF in every line after an edit of one, and the diff that is shown names that one line. An oldText that is there twice changes
# the first place, without a word. read_text_file with tail 2 gives one line of a file that ends with a line break, as files do.
# Seen:   8 spaces, "if a:", "c()", "d()": indents 8, 8, 4 / CRLF: all LF, diff of 1 line / twice: first / tail 2 of 5 lines: "5\n"
# Expected by most: indents 8, 12, 12, or no match; line ends as they were; an error for two places; two lines.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/sdk@1.32.2
cat > run.mjs <<'JS'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
mkdirSync('files');
const path = realpathSync('files') + '/f.txt';
const client = new Client({ name: 'c', version: '1' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', 'files'], stderr: 'ignore' }));
const edit = async (label, before, oldText, newText) => {
  writeFileSync(path, before);
  const { content, isError } = await client.callTool({ name: 'edit_file', arguments: { path, edits: [{ oldText, newText }] } });
  const changed = content[0].text.split('\n').filter((line) => /^[-+](?![-+])/.test(line));
  console.log(`${label}: ${JSON.stringify(readFileSync(path, 'utf8'))}${isError ? ' error' : ''}, diff ${JSON.stringify(changed.join(' '))}`);
};
await edit('python', 'def f():\n        if a:\n            b()\n', 'if a:\n    b()', 'if a:\n    c()\n    d()');
await edit('tabs', '\tif a:\n\t\tb()\n', 'if a:\n\tb()', 'if a:\n\tc()');
await edit('exact', 'def f():\n        if a:\n            b()\n', '        if a:\n            b()', '        if a:\n            c()');
await edit('crlf', 'a\r\nb\r\nc\r\n', 'b', 'B');
await edit('twice', 'x = 1\ny\nx = 1\n', 'x = 1', 'x = 2');
for (const [text, given] of [['1\n2\n3\n4\n5\n', { tail: 2 }], ['1\n2\n3\n4\n5', { tail: 2 }], ['1\n2\n3\n4\n5\n', { head: 2 }]]) {
  writeFileSync(path, text);
  const { content } = await client.callTool({ name: 'read_text_file', arguments: { path, ...given } });
  console.log(`${JSON.stringify(given)} of ${JSON.stringify(text)}: ${JSON.stringify(content[0].text)}`);
}
process.exit(0);
JS
echo "@modelcontextprotocol/server-filesystem $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/server-filesystem/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
python: "def f():\n        if a:\n        c()\n    d()\n", diff "-            b() +        c() +    d()"
tabs: "\tif a:\n\tc()\n", diff "-\t\tb() +\tc()"
exact: "def f():\n        if a:\n            c()\n", diff "-            b() +            c()"
crlf: "a\nB\nc\n", diff "-b +B"
twice: "x = 2\ny\nx = 1\n", diff "-x = 1 +x = 2"
{"tail":2} of "1\n2\n3\n4\n5\n": "5\n"
{"tail":2} of "1\n2\n3\n4\n5": "4\n5"
{"head":2} of "1\n2\n3\n4\n5\n": "1\n2"
END
