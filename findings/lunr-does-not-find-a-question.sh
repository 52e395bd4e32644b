#!/usr/bin/env bash
# lunr 2.3.9 (npm), the search of many documentation sites and of small tool catalogues, default settings.
# Behaviour: signs at the ends of words are taken off when a text is indexed and not when it is asked for. So a word with a question mark, a comma or
# quotes behind or around it finds nothing, not even in a text where it stands with that very sign; of a whole question the last word is lost.
# Seen:   issue: two texts / issue? and "issue" and (issue): none / how to close an issue?: only what has "close"
# Expected by most: a query is cut into words like the texts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund lunr@2.3.9
cat > run.cjs <<'JS'
const lunr = require('lunr');
const texts = ['create an issue', 'is this an issue?', 'close the pull request'];
const index = lunr(function () {
  this.ref('id');
  this.field('text');
  texts.forEach((text, id) => this.add({ id, text }));
});
for (const query of ['issue', 'issue?', '"issue"', '(issue)', 'how to close an issue?']) {
  const ids = index.search(query).map((hit) => Number(hit.ref));
  console.log(query + ' -> ' + JSON.stringify(texts.filter((_, id) => ids.includes(id))));
}
JS
echo "lunr $(node -p "JSON.parse(require('fs').readFileSync('node_modules/lunr/package.json')).version")"
node run.cjs | tee out
printf '%s\n' 'issue -> ["create an issue","is this an issue?"]' 'issue? -> []' '"issue" -> []' '(issue) -> []' 'how to close an issue? -> ["close the pull request"]' | diff out -
