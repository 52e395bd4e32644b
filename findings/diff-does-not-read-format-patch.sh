#!/usr/bin/env bash
# diff 9.0.0 (npm), the much used library for differences and patches, `parsePatch` and `applyPatch`.
# Behaviour: what `git format-patch` writes ends with a line "-- " and git's version. That line is taken for a removed line "- " of the last hunk, and the whole patch is
# an error, whatever stands before it. Without the signature the same mail is read. Of the diff that git prints for a merge, with @@@, there is
# no error: the file is there and has no hunks, and applying it succeeds and changes nothing.
# Seen:   format-patch: Hunk at line 11 has more lines than expected / without signature: 1 file, 1 hunk / merge: 1 file, 0 hunks, applied "one"
# Expected by most: a library that reads git's extended headers reads git's own mails, and refuses or reads a merge.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund diff@9.0.0
cat > run.mjs <<'JS'
import { applyPatch, parsePatch } from 'diff';
const lines = (...all) => all.join('\n') + '\n';
const head = ['From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001', 'Subject: [PATCH] change', '', '---', ' a.txt | 2 +-', ''];
const body = ['diff --git a/a.txt b/a.txt', 'index 5626abf..f719efd 100644', '--- a/a.txt', '+++ b/a.txt', '@@ -1 +1 @@', '-one', '+two'];
const tried = {
  'format-patch': lines(...head, ...body, '-- ', '2.43.0', ''),
  'without signature': lines(...head, ...body),
  'diff alone': lines(...body),
  merge: lines('diff --cc a.txt', 'index 19aa39f,cff3fb1..0000000', '--- a/a.txt', '+++ b/a.txt', '@@@ -1,1 -1,1 +1,2 @@@', '  one', '++two'),
};
for (const [name, text] of Object.entries(tried)) {
  let words;
  try { words = parsePatch(text).map((file) => `${file.newFileName} ${file.hunks.length} hunks`).join(', '); } catch (error) { words = error.message; }
  let applied;
  try { applied = JSON.stringify(applyPatch('one\n', text)); } catch { applied = 'error'; }
  console.log(`${name}: ${words}; applied: ${applied}`);
}
JS
echo "diff $(node -p "JSON.parse(require('fs').readFileSync('node_modules/diff/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
format-patch: Hunk at line 11 has more lines than expected (expected 1 old lines and 1 new lines); applied: error
without signature: b/a.txt 1 hunks; applied: "two\n"
diff alone: b/a.txt 1 hunks; applied: "two\n"
merge: b/a.txt 0 hunks; applied: "one\n"
END
