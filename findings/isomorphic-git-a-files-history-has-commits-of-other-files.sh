#!/usr/bin/env bash
# isomorphic-git 1.44.11 (npm), git in plain JavaScript, under editors, browsers and agents: log() with a file's path, against git log.
# Behaviour: commits are compared in the order of their dates, not each with its parent. Where two branches ran side by side the history of a file lists commits that never
# touched it, as many as the branches change places, and the merge as well. Of a file that was deleted and came back the first life
# is left out, unless force is set, whose description speaks of an error to be avoided.
# Seen:   notes.txt: main 2 and main 1 are listed, which changed other.txt / back.txt: one commit of three
# Expected by most: what git log says for the same path.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund isomorphic-git@1.44.11
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
day=1
save() { export GIT_AUTHOR_DATE="2026-01-0${day}T10:00:00Z" GIT_COMMITTER_DATE="2026-01-0${day}T10:00:00Z"; git -C repo add -A; git -C repo "${2:-commit}" -q -m "$1" ${3:-}; day=$((day + 1)); }
git init -q -b main repo
echo 1 > repo/notes.txt; echo 1 > repo/other.txt; echo 1 > repo/back.txt; save first
git -C repo checkout -q -b side; echo 2 >> repo/notes.txt; save 'side: notes'
git -C repo checkout -q main; echo 2 >> repo/other.txt; save 'main: other 1'
git -C repo checkout -q side; echo 3 >> repo/notes.txt; save 'side: notes again'
git -C repo checkout -q main; echo 3 >> repo/other.txt; rm repo/back.txt; save 'main: other 2, no back'
save 'merge' merge side
echo 2 > repo/back.txt; save 'back again'
cat > run.mjs <<'JS'
import fs from 'node:fs';
import git from 'isomorphic-git';
for (const options of [{ filepath: 'notes.txt' }, { filepath: 'other.txt' }, { filepath: 'back.txt' }, { filepath: 'back.txt', force: true }]) {
  const commits = await git.log({ fs, dir: 'repo', ...options });
  console.log(JSON.stringify(options) + ': ' + commits.map((each) => each.commit.message.trim()).join(' | '));
}
JS
echo "isomorphic-git $(node -p "require('./node_modules/isomorphic-git/package.json').version")"
{
  node run.mjs
  for path in notes.txt other.txt back.txt; do echo "  git log $path: $(git -C repo log --format=%s $path | paste -sd'|' | sed 's/|/ | /g')"; done
} | tee out
diff out - <<'END'
{"filepath":"notes.txt"}: merge | main: other 2, no back | side: notes again | main: other 1 | side: notes | first
{"filepath":"other.txt"}: main: other 2, no back | side: notes again | main: other 1 | first
{"filepath":"back.txt"}: back again
{"filepath":"back.txt","force":true}: back again | main: other 2, no back | first
  git log notes.txt: side: notes again | side: notes | first
  git log other.txt: main: other 2, no back | main: other 1 | first
  git log back.txt: back again | main: other 2, no back | first
END
