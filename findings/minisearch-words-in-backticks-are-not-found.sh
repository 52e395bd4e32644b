#!/usr/bin/env bash
# minisearch 7.2.0 (npm), a full-text index in JavaScript, default settings.
# Behaviour: it splits at blanks and at what Unicode calls punctuation. Brackets, quotes, slashes, underscores and # are; backticks, =, +, |, <, >, ~, $
# and arrows are symbols and stay in the word. So a parameter in backticks, as descriptions in Markdown write it, is not found by
# its name; C# is found by "c", and C++ is not.
# Seen:   limit: found in limit_2, "limit", (limit), limit/2; not in `limit`, limit=5, a|limit|b, <limit>, $limit / c: C#
# Expected by most: any sign that is no letter ends a word, or at least a backtick does.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund minisearch@7.2.0
cat > run.mjs <<'JS'
import MiniSearch from 'minisearch';
const texts = ['limit_2', '"limit"', '(limit)', 'limit/2', 'set `limit` here', 'limit=5', 'a|limit|b', '<limit>', '$limit', 'C#', 'C++'];
const index = new MiniSearch({ fields: ['text'] });
index.addAll(texts.map((text, id) => ({ id, text })));
const found = (query) => { const ids = index.search(query).map((hit) => hit.id); return texts.filter((_, id) => ids.includes(id)); };
for (const query of ['limit', '`limit`', 'c']) console.log(query + ': ' + JSON.stringify(found(query)));
JS
echo "minisearch $(node -p "JSON.parse(require('fs').readFileSync('node_modules/minisearch/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
limit: ["limit_2","\"limit\"","(limit)","limit/2"]
`limit`: ["set `limit` here"]
c: ["C#"]
END
