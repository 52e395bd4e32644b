#!/usr/bin/env bash
# remove-markdown 0.7.0 (npm), Markdown to plain text; strip-markdown 6.0.0 does the same with a parser.
# Behaviour: all between a < and the next > goes, though it is no tag: "give <5 mg, or >3 tablets" is "give 3 tablets". Of "[1] and [2] (page 3)" the outer brackets and the
# page go. In a block of code a remark loses its #, a*b*c its stars and __init__ its lines, though code is kept otherwise. A footnote is gone.
# Seen:   "give 3 tablets" / "if a  d then stop" / x = a*b*c in code -> x = abc / "see 1] and [2"
# Expected by most: only the signs of Markdown go.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts remove-markdown@0.7.0 strip-markdown@6.0.0 remark@15.0.1 2> /dev/null
cat > run.mjs <<'JS'
import found from 'remove-markdown';
import { remark } from 'remark';
import strip from 'strip-markdown';

const remove = found.default ?? found;
for (const text of [
  'give <5 mg, or >3 tablets', 'if a < b and c > d then stop', 'see [1] and [2] (page 3)', '```py\n# total\nx = a*b*c\n__init__()\n```', 'note[^1]\n\n[^1]: not in winter', '**bold** and *it*',
]) {
  const other = remark().use(strip, { keep: ['code', 'list', 'listItem'] }).processSync(text).toString().trim();
  console.log(`${JSON.stringify(text)}\n    remove-markdown: ${JSON.stringify(remove(text))}\n    strip-markdown:  ${JSON.stringify(other)}`);
}
JS
echo "remove-markdown $(node -p "JSON.parse(require('fs').readFileSync('node_modules/remove-markdown/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
"give <5 mg, or >3 tablets"
    remove-markdown: "give 3 tablets"
    strip-markdown:  "give <5 mg, or >3 tablets"
"if a < b and c > d then stop"
    remove-markdown: "if a  d then stop"
    strip-markdown:  "if a < b and c > d then stop"
"see [1] and [2] (page 3)"
    remove-markdown: "see 1] and [2"
    strip-markdown:  "see \\[1] and \\[2] (page 3)"
"```py\n# total\nx = a*b*c\n__init__()\n```"
    remove-markdown: "total\nx = abc\ninit()"
    strip-markdown:  "```py\n# total\nx = a*b*c\n__init__()\n```"
"note[^1]\n\n[^1]: not in winter"
    remove-markdown: "note\n\n"
    strip-markdown:  "note\\[^1]\n\n\\[^1]: not in winter"
"**bold** and *it*"
    remove-markdown: "bold and it"
    strip-markdown:  "bold and it"
END
