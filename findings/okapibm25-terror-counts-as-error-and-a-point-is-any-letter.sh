#!/usr/bin/env bash
# okapibm25 1.4.1 (npm), BM25 scores for a list of documents and words.
# Behaviour: a word of the question is made a pattern and looked for anywhere in the text, in the letters' own case. So "error" is found in "terror" and
# scores the same as the word, but not in "Error"; and 1.5 is found in "105", which scores more than the document about 1.5 because it is shorter. Other
# libraries of this kind compare whole words without case.
# Seen:   error: 0 for "Error in disk", 0.7549 for "terror film" / 1.5: 1.1357 for "about 105", 0.8631 for "price 1.5 here"
# Expected by most: words are compared with words.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund okapibm25@1.4.1
cat > run.cjs <<'JS'
const BM25 = require('okapibm25').default;
console.log('okapibm25', JSON.parse(require('fs').readFileSync('node_modules/okapibm25/package.json')).version);
const show = (word, documents) => {
  console.log(word);
  BM25(documents, [word]).forEach((score, at) => console.log('  ' + score.toFixed(4), documents[at]));
};
show('error', ['Error in disk', 'terror film', 'error error', 'an old disk']);
show('1.5', ['price 1.5 here', 'about 105', 'nothing to see']);
show('cat', ['cat sleeps', 'category concatenated', 'a dog', 'a bird']);
JS
node run.cjs | tee out
diff out - <<'END'
okapibm25 1.4.1
error
  0.0000 Error in disk
  0.7549 terror film
  1.0099 error error
  0.0000 an old disk
1.5
  0.8631 price 1.5 here
  1.1357 about 105
  0.0000 nothing to see
cat
  0.6931 cat sleeps
  0.9531 category concatenated
  0.0000 a dog
  0.0000 a bird
END
