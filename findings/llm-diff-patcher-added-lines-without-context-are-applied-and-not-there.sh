#!/usr/bin/env bash
# llm-diff-patcher 0.2.1 (npm), applyPatchToFiles with its defaults.
# Behaviour: a hunk that only adds lines and has no context, as git diff -U0 writes it and as models do for the end of a file, is counted as applied: success is true, appliedHunks 1, no error.
# The file is as before. With another hunk in the same patch, that one is made and this one is missing, and both are counted. A replaced line without context is made.
# A file without a line break at its end gets one. A hunk whose place stands twice fails, although its head has the right line number.
# Seen:   "@@ -3,0 +4,2 @@ +d +e" on a, b, c: success true, 1 of 1 hunks, file a, b, c
# Expected by most: the two lines at the end of the file, or success false.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > npm.log 2>&1
npm install --silent --no-audit --no-fund llm-diff-patcher@0.2.1 >> npm.log 2>&1 || { cat npm.log; exit 1; }
cat > run.cjs <<'JS'
const fs = require('fs');
const { applyPatchToFiles } = require('llm-diff-patcher');

console.log('llm-diff-patcher', JSON.parse(fs.readFileSync('node_modules/llm-diff-patcher/package.json', 'utf8')).version);
fs.mkdirSync('project');
function show(name, text, hunks) {
  fs.writeFileSync('project/f.txt', text);
  const result = applyPatchToFiles('--- a/f.txt\n+++ b/f.txt\n' + hunks, { basePath: 'project' });
  console.log(`${name}: success ${result.success}, hunks ${result.appliedHunks}/${result.totalHunks}, errors ${result.errors.length}, file`, JSON.stringify(fs.readFileSync('project/f.txt', 'utf8')));
}
show('added at the end', 'a\nb\nc\n', '@@ -3,0 +4,2 @@\n+d\n+e\n');
show('added inside', 'a\nb\nc\n', '@@ -1,0 +2 @@\n+n\n');
show('replaced and added', 'a\nb\nc\n', '@@ -1 +1 @@\n-a\n+A\n@@ -3,0 +4 @@\n+d\n');
show('replaced', 'a\nb\nc\n', '@@ -2 +2 @@\n-b\n+B\n');
show('added with context', 'a\nb\nc\n', '@@ -2,2 +2,4 @@\n b\n c\n+d\n+e\n');
show('no line break at the end', 'a\nb', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n');
show('stands twice', 'a\nb\nc\na\nb\nc\n', '@@ -4,3 +4,3 @@\n a\n-b\n+B\n c\n');
JS
node run.cjs | tee out
diff out - <<'END'
llm-diff-patcher 0.2.1
added at the end: success true, hunks 1/1, errors 0, file "a\nb\nc\n"
added inside: success true, hunks 1/1, errors 0, file "a\nb\nc\n"
replaced and added: success true, hunks 2/2, errors 0, file "A\nb\nc\n"
replaced: success true, hunks 1/1, errors 0, file "a\nB\nc\n"
added with context: success true, hunks 1/1, errors 0, file "a\nb\nc\nd\ne\n"
no line break at the end: success true, hunks 1/1, errors 0, file "A\nb\n"
stands twice: success false, hunks 0/1, errors 1, file "a\nb\nc\na\nb\nc\n"
END
