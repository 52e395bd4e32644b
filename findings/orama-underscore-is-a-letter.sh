#!/usr/bin/env bash
# @orama/orama 3.1.18 (npm), a search engine in JavaScript that catalogues of tools are searched with, default settings.
# Behaviour: a name with underscores is one word. `issue` does not find `create_issue` (nor createIssue or create-issue), the word at
# its start does, as words are matched by their beginning. A query whose signs are all taken away leaves one letter: `c++` finds
# everything with a word that begins with c. An empty query gives all documents with a score of 0.
# Seen:   issue: create.issue, create issue / create: all five / c++: all six that have a word with c
# Expected by most: `issue` finds create_issue and create-issue; `c++` finds C++ alone, or nothing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @orama/orama@3.1.18
cat > run.mjs <<'JS'
import { create, insert, search } from '@orama/orama';
const db = create({ schema: { name: 'string' } });
for (const name of ['create_issue', 'createIssue', 'create-issue', 'create.issue', 'create issue', 'list users', 'C++']) await insert(db, { name });
for (const term of ['issue', 'create', 'c++']) {
  const { hits } = await search(db, { term });
  console.log(term + ': ' + hits.map((hit) => hit.document.name).sort().join(', '));
}
JS
node -p "'@orama/orama ' + JSON.parse(require('fs').readFileSync('node_modules/@orama/orama/package.json')).version"
node run.mjs | tee out
grep -qx 'issue: create issue, create.issue' out
grep -qx 'create: create issue, create-issue, create.issue, createIssue, create_issue' out
grep -qx 'c++: C++, create issue, create-issue, create.issue, createIssue, create_issue' out
