#!/usr/bin/env bash
# npm fast-filesystem-mcp 3.5.2, an MCP server for files, asked over stdio.
# Behaviour: fast_read_file counts lines from 0, fast_extract_lines from 1: line_start 2 is the third line. line_count is not used: all to the end comes. In the new text of
# fast_edit_block the signs $& and $$ are instructions: $& puts the old text in, $$ is one $. The answer is success and previews the text as it was sent. An edit of many blocks
# whose second text is not in the file is "processed successfully". A search shows only the words that matched, never their line; *.md finds no file, and "total(" nothing, without an error.
# Seen:   line_start 2, line_count 1: lines three to five / new text cost = '$&': cost = 'price = 1' / search five: "five" of the line five = 5
# Expected by most: the second line; the text that was sent; the line with its number.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fast-filesystem-mcp@3.5.2
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
console.log('fast-filesystem-mcp', JSON.parse(readFileSync('node_modules/fast-filesystem-mcp/package.json')).version);
const folder = `${process.cwd()}/files`;
mkdirSync(folder);
const server = spawn('node_modules/.bin/fast-filesystem-mcp', [folder], { stdio: ['pipe', 'pipe', 'ignore'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let count = 0;
const ask = async (method, params) => {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params })}\n`);
  for (;;) {
    const { value } = await lines.next();
    const answer = value.startsWith('{') ? JSON.parse(value) : {};
    if (answer.id === count) return answer.result;
  }
};
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
const call = async (name, values) => JSON.parse((await ask('tools/call', { name, arguments: values })).content[0].text);
const path = `${folder}/a.py`;
writeFileSync(path, 'one = 1\ntwo = 2\nprice = 1\ntotal(price)\nfive = 5\n');
console.log('read, line_start 2, line_count 1:', JSON.stringify((await call('fast_read_file', { path, line_start: 2, line_count: 1 })).content));
console.log('extract, lines 2 to 2:', JSON.stringify((await call('fast_extract_lines', { path, start_line: 2, end_line: 2 })).extracted_lines.map((line) => line.content)));
const edit = await call('fast_edit_block', { path, old_text: 'price = 1', new_text: "cost = '$&' + '$$5'" });
console.log('edit:', edit.status, JSON.stringify(edit.new_text_preview));
const many = await call('fast_edit_blocks', { path, edits: [{ old_text: 'one = 1', new_text: 'one = 11' }, { old_text: 'not there', new_text: 'x' }] });
console.log('two edits:', many.message, `${many.successful_edits} of ${many.total_edits}`);
console.log('file:', JSON.stringify(readFileSync(path, 'utf8')));
for (const pattern of ['five', 'total(']) {
  const found = await call('fast_search_code', { path: folder, pattern, context_lines: 0 });
  console.log(`search ${pattern}:`, JSON.stringify(found.results.flatMap((file) => file.matches.map((match) => [match.line_number, match.line_content]))));
}
for (const pattern of ['a.py', '*.py']) console.log(`files ${pattern}:`, (await call('fast_search_files', { path: folder, pattern })).results.length);
server.kill();
process.exit(0);
JS
node run.mjs | tee out
diff out - <<'END'
fast-filesystem-mcp 3.5.2
read, line_start 2, line_count 1: "price = 1\ntotal(price)\nfive = 5\n"
extract, lines 2 to 2: ["two = 2"]
edit: success "cost = '$&' + '$$5'"
two edits: Safe multiple block edits processed successfully 1 of 2
file: "one = 11\ntwo = 2\ncost = 'price = 1' + '$5'\ntotal(price)\nfive = 5\n"
search five: [[5,"five"]]
search total(: []
files a.py: 1
files *.py: 0
END
