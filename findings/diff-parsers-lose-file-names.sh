#!/usr/bin/env bash
# gitdiff-parser 0.3.1, parse-git-diff 0.0.20 and parse-diff 0.12.0 (npm), which viewers and review tools read the output of `git diff` with.
# Behaviour: git ends the name of a file that has a space in it with a tab, and two of the three keep the tab as part of the name. Without prefixes (git's own
# setting diff.noprefix) gitdiff-parser takes two letters off all the same: a.sql is "sql". Of the diff that git prints within a merge conflict
# gitdiff-parser says nothing, parse-diff that there is no change, and parse-git-diff calls the lines of one side unchanged and leaves signs in them.
# Seen:   b c.txt: "b c.txt\t" twice, "b c.txt" / no prefix: sql, a.sql, a.sql / conflict: [], "UnchangedLine +w", a.sql without lines
# Expected by most: the name of the file, and the lines as git marks them, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund gitdiff-parser@0.3.1 parse-git-diff@0.0.20 parse-diff@0.12.0
cat > run.mjs <<'JS'
import gitdiff from 'gitdiff-parser';
import parseGitDiff from 'parse-git-diff';
import parseDiff from 'parse-diff';
const lines = (...all) => all.join('\n') + '\n';
const tried = {
  space: lines('diff --git a/b c.txt b/b c.txt', 'index 5626abf..f719efd 100644', '--- a/b c.txt\t', '+++ b/b c.txt\t', '@@ -1 +1 @@', '-one', '+two'),
  'no prefix': lines('diff --git a.sql a.sql', 'index 5626abf..f719efd 100644', '--- a.sql', '+++ a.sql', '@@ -1 +1 @@', '-one', '+two'),
  conflict: lines('diff --cc a.sql', 'index 19aa39f,cff3fb1..0000000', '--- a/a.sql', '+++ b/a.sql', '@@@ -1,2 -1,2 +1,6 @@@', '  select 1;', '++<<<<<<< HEAD', ' +w', '++=======', '+ y', '++>>>>>>> other'),
};
const parsers = {
  'gitdiff-parser': (text) => gitdiff.parse(text).map((file) => [file.newPath, ...file.hunks.flatMap((hunk) => hunk.changes.map((change) => change.type + ' ' + change.content))]),
  'parse-git-diff': (text) => parseGitDiff(text).files.map((file) => [file.path, ...file.chunks.flatMap((chunk) => chunk.changes.map((change) => change.type + ' ' + change.content))]),
  'parse-diff': (text) => parseDiff(text).map((file) => [file.to, ...file.chunks.flatMap((chunk) => chunk.changes.map((change) => change.type + ' ' + change.content))]),
};
for (const [kind, text] of Object.entries(tried)) for (const [name, parse] of Object.entries(parsers)) console.log(`${kind}, ${name}: ` + JSON.stringify(parse(text)));
JS
for name in gitdiff-parser parse-git-diff parse-diff; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
space, gitdiff-parser: [["b c.txt\t","delete one","insert two"]]
space, parse-git-diff: [["b c.txt\t","DeletedLine one","AddedLine two"]]
space, parse-diff: [["b c.txt","del -one","add +two"]]
no prefix, gitdiff-parser: [["sql","delete one","insert two"]]
no prefix, parse-git-diff: [["a.sql","DeletedLine one","AddedLine two"]]
no prefix, parse-diff: [["a.sql","del -one","add +two"]]
conflict, gitdiff-parser: []
conflict, parse-git-diff: [["a.sql","UnchangedLine  select 1;","AddedLine +<<<<<<< HEAD","UnchangedLine +w","AddedLine +=======","AddedLine  y","AddedLine +>>>>>>> other"]]
conflict, parse-diff: [["a.sql"]]
END
