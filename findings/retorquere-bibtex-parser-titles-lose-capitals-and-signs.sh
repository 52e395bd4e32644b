#!/usr/bin/env bash
# @retorquere/bibtex-parser 9.0.29 (npm), parse() with default settings.
# Behaviour: titles do not come as they were written. All words of a title get small letters unless the parser takes them for an acronym or for a name with
# capitals within, so names of people, cities and languages lose their capital, and titles of journals keep theirs. A less-than sign becomes an inverted
# exclamation mark, a greater-than sign an inverted question mark. "and others" is an author called others.
# Seen:   "IBM Watson Beats Ken Jennings in New York": "IBM watson beats ken jennings in new york" / "p < 0.05": "p ¡ 0.05"
# Expected by most: the title as it stands in the file, without the braces.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @retorquere/bibtex-parser@9.0.29 2> /dev/null
cat > run.mjs <<'JS'
import { parse } from '@retorquere/bibtex-parser';
const titles = ['IBM Watson Beats Ken Jennings in New York', 'A Survey of Python Libraries for {Kalman} Filters', 'What Is GraphQL? A Primer', 'Effects with p < 0.05 and n > 30'];
for (const title of titles) {
  const text = `@article{a, title = {${title}}, journal = {${title}}, author = {Doe, Jane and others}}`;
  const { fields } = parse(text).entries[0];
  console.log(`${title}\n    title: ${fields.title}\n    journal: ${fields.journal}`);
  if (title === titles[0]) console.log(`    author: ${JSON.stringify(fields.author)}`);
}
JS
echo "@retorquere/bibtex-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@retorquere/bibtex-parser/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
IBM Watson Beats Ken Jennings in New York
    title: IBM watson beats ken jennings in new york
    journal: IBM Watson Beats Ken Jennings in New York
    author: [{"lastName":"Doe","firstName":"Jane"},{"lastName":"others"}]
A Survey of Python Libraries for {Kalman} Filters
    title: A survey of python libraries for Kalman filters
    journal: A Survey of Python Libraries for Kalman Filters
What Is GraphQL? A Primer
    title: What is GraphQL? A primer
    journal: What Is GraphQL? A Primer
Effects with p < 0.05 and n > 30
    title: Effects with p ¡ 0.05 and n ¿ 30
    journal: Effects with p ¡ 0.05 and n ¿ 30
END
