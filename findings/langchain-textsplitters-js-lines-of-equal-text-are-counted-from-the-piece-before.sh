#!/usr/bin/env bash
# @langchain/textsplitters 1.0.2 with @langchain/core 1.4.0 (npm): RecursiveCharacterTextSplitter.createDocuments, whose metadata.loc.lines says from and to which line a piece goes.
# Behaviour: each piece is looked for from the first letter behind the START of the last one, not behind its end, although there is no overlap. Where lines come again, as in logs, tables and code, the
# piece is found one line below the last and not where it is: the numbers of lines lag behind, by more with each piece, and then jump. Without repeated lines they are right.
# Seen:   eight equal lines, two a piece: 1-2, 2-3, 3-4, 4-5 / a log: lines 5-6 are said to be 3-4, line 7 is right again
# Expected by most: 1-2, 3-4, 5-6, 7-8.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @langchain/textsplitters@1.0.2 @langchain/core@1.4.0
cat > run.mjs <<'JS'
import fs from 'node:fs';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
for (const name of ['textsplitters', 'core']) console.log(`@langchain/${name}`, JSON.parse(fs.readFileSync(`node_modules/@langchain/${name}/package.json`)).version);
const show = async (label, text, chunkSize) => {
  console.log(label);
  let right = 1;
  for (const { pageContent, metadata } of await new RecursiveCharacterTextSplitter({ chunkSize, chunkOverlap: 0 }).createDocuments([text])) {
    const lines = pageContent.split('\n').length;
    console.log(`  said ${metadata.loc.lines.from}-${metadata.loc.lines.to}, is ${right}-${right + lines - 1}: ${JSON.stringify(pageContent)}`);
    right += lines;
  }
};
await show('equal lines', [...Array(8).fill('same line'), 'last'].join('\n'), 20);
await show('a log', ['GET / 200', 'GET / 200', 'GET / 200', 'GET / 200', 'GET / 200', 'GET / 200', 'GET / 200', 'GET / 500', 'GET / 200', 'GET / 500'].join('\n'), 20);
await show('other lines', ['line one', 'line two', 'line three', 'line four', 'line five', 'line six'].join('\n'), 20);
JS
node run.mjs | tee out
diff out - <<'END'
@langchain/textsplitters 1.0.2
@langchain/core 1.4.0
equal lines
  said 1-2, is 1-2: "same line\nsame line"
  said 2-3, is 3-4: "same line\nsame line"
  said 3-4, is 5-6: "same line\nsame line"
  said 4-5, is 7-8: "same line\nsame line"
  said 9-9, is 9-9: "last"
a log
  said 1-2, is 1-2: "GET / 200\nGET / 200"
  said 2-3, is 3-4: "GET / 200\nGET / 200"
  said 3-4, is 5-6: "GET / 200\nGET / 200"
  said 7-8, is 7-8: "GET / 200\nGET / 500"
  said 9-10, is 9-10: "GET / 200\nGET / 500"
other lines
  said 1-2, is 1-2: "line one\nline two"
  said 3-3, is 3-3: "line three"
  said 4-5, is 4-5: "line four\nline five"
  said 6-6, is 6-6: "line six"
END
