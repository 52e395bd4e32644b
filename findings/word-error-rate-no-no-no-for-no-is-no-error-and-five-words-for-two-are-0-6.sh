#!/usr/bin/env bash
# word-error-rate 0.0.7 (npm), its figures beside those of jiwer 4.0.0 (PyPI).
# Behaviour: words that are heard more often than they were said at the start are no error: "no no no" for "no", "very very very good" for "very good". What
# is too much is divided by the length of the longer text and not of the right one, so the rate is never above 1 and is lower the more was added. Two blanks
# are a word.
# Seen:   "no no no" for "no": 0 / "a b c d e" for "a b": 0.6 / "the  cat sat" for "the cat sat": 0.25
# Expected by most: 2, 1.5 and 0, which is the edits divided by the words that were said.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts word-error-rate@0.0.7 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jiwer==4.0.0
echo '[["no no no", "no"], ["very very very good", "very good"], ["a b c d e", "a b"], ["the  cat sat", "the cat sat"], ["the cat", "the big cat"]]' > pairs.json
cat > run.cjs <<'JS'
const { wordErrorRate } = require('word-error-rate');
for (const [heard, said] of require('./pairs.json')) console.log(`"${heard}" for "${said}": word-error-rate ${Number(wordErrorRate(heard, said).toFixed(3))}`);
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import jiwer

print('jiwer', importlib.metadata.version('jiwer'), file=sys.stderr)
for heard, said in json.load(open('pairs.json')):
    print(f'"{heard}" for "{said}": jiwer {round(jiwer.wer(said, heard), 3):g}')
PY
echo "word-error-rate $(node -p "JSON.parse(require('fs').readFileSync('node_modules/word-error-rate/package.json')).version")"
(node run.cjs; env/bin/python run.py) | tee out
diff out - <<'END'
"no no no" for "no": word-error-rate 0
"very very very good" for "very good": word-error-rate 0
"a b c d e" for "a b": word-error-rate 0.6
"the  cat sat" for "the cat sat": word-error-rate 0.25
"the cat" for "the big cat": word-error-rate 0.333
"no no no" for "no": jiwer 2
"very very very good" for "very good": jiwer 1
"a b c d e" for "a b": jiwer 1.5
"the  cat sat" for "the cat sat": jiwer 0
"the cat" for "the big cat": jiwer 0.333
END
