#!/usr/bin/env bash
# conventional-commits-parser 7.1.4 (npm) on Node 26.10.0 (npm package node), new CommitParser().parse(message) with default settings.
# Behaviour: the mark of Conventional Commits for a breaking change is not read: "feat!: ..." and "feat(api)!: ..." have no type, no scope, no subject and
# no note, so a program that looks for features or for breaking changes finds neither. A scope with a comma is no scope either. "This does not fix #13"
# is a reference with the action fix. The domain of an address is a person who is mentioned.
# Seen:   feat!: drop it: type undefined, notes 0 / This does not fix #13: fix 13 / jane@example.com: mentions example
# Expected by most: type feat and a note of a breaking change.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts conventional-commits-parser@7.1.4 2> /dev/null
cat > run.mjs <<'JS'
import { CommitParser } from 'conventional-commits-parser';
const parser = new CommitParser();
const messages = [
  'feat: add it', 'feat!: drop it', 'feat(api)!: drop it', 'fix(ui,api): mend it',
  'fix: part one\n\nThis does not fix #13', 'fix: x\n\nCo-authored-by: Jane <jane@example.com>',
];
for (const message of messages) {
  const { type, scope, subject, body, footer, notes, references, mentions } = parser.parse(message);
  console.log(JSON.stringify(message));
  console.log(`    type ${type}, scope ${scope}, subject ${subject}, notes ${notes.length}, body ${JSON.stringify(body)}, footer ${JSON.stringify(footer)}`);
  if (references.length + mentions.length) console.log(`    references ${references.map((one) => `${one.action} ${one.issue}`)}, mentions ${mentions}`);
}
JS
echo "conventional-commits-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/conventional-commits-parser/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
"feat: add it"
    type feat, scope null, subject add it, notes 0, body null, footer null
"feat!: drop it"
    type undefined, scope undefined, subject undefined, notes 0, body null, footer null
"feat(api)!: drop it"
    type undefined, scope undefined, subject undefined, notes 0, body null, footer null
"fix(ui,api): mend it"
    type undefined, scope undefined, subject undefined, notes 0, body null, footer null
"fix: part one\n\nThis does not fix #13"
    type fix, scope null, subject part one, notes 0, body "This does not fix #13", footer null
    references fix 13, mentions 
"fix: x\n\nCo-authored-by: Jane <jane@example.com>"
    type fix, scope null, subject x, notes 0, body "", footer "Co-authored-by: Jane <jane@example.com>"
    references , mentions example
END
