#!/usr/bin/env bash
# rouge-score 0.1.2 and rouge 1.0.1 (PyPI), js-rouge 3.2.3 (npm), which promptfoo and others score answers with: ROUGE-1 and ROUGE-L as F, defaults.
# Behaviour: three libraries, three figures for one pair of texts. rouge counts a word once however often it stands there, so an answer that repeats one word is
# perfect. rouge-score does not see signs, so 5 and -5 are equal, nor letters beyond a to z: a Greek text that equals itself has 0. rouge and
# js-rouge take each sentence for itself: sentences in another order are equal for ROUGE-L, though not for rouge-score. A decimal number is one word, or two.
# Seen:   "the the the" for "the": 0.5, 1, 0.5 / "-5" for "5": 1, 0, 0 / a Greek word for itself: 0, 1, 1 / sentences turned, ROUGE-L: 0.6, 1, 1
# Expected by most: ROUGE is ROUGE.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rouge-score==0.1.2 rouge==1.0.1 nltk==3.10.4
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts js-rouge@3.2.3 2> /dev/null
cat > pairs.json <<'JSON'
[["the cat sat", "the cat sat"], ["the the the", "the"], ["-5", "5"], ["version 1.2", "version 1.3"], ["γεια", "γεια"],
 ["The cat slept. It rained.", "It rained. The cat slept."], ["it is not ready", "it is ready"]]
JSON
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
from rouge import Rouge
from rouge_score import rouge_scorer

print(*(name + ' ' + importlib.metadata.version(name) for name in ('rouge-score', 'rouge')), file=sys.stderr)
scorer = rouge_scorer.RougeScorer(['rouge1', 'rougeL'])
for answer, wanted in json.load(open('pairs.json')):
    one = scorer.score(wanted, answer)
    two = Rouge().get_scores(answer, wanted)[0]
    print(f'{one["rouge1"].fmeasure:.3g} {one["rougeL"].fmeasure:.3g} {two["rouge-1"]["f"]:.3g} {two["rouge-l"]["f"]:.3g}')
PY
cat > run.mjs <<'JS'
import * as rouge from 'js-rouge';
import fs from 'node:fs';
const rows = fs.readFileSync('py', 'utf8').trim().split('\n');
const short = (number) => Number(number.toFixed(3));
for (const [place, [answer, wanted]] of JSON.parse(fs.readFileSync('pairs.json')).entries()) {
  const [a1, aL, b1, bL] = rows[place].split(' ');
  console.log(`${answer} | ${wanted}\n    ROUGE-1: rouge-score ${a1}, rouge ${b1}, js-rouge ${short(rouge.n(answer, wanted, { n: 1 }))}`);
  console.log(`    ROUGE-L: rouge-score ${aL}, rouge ${bL}, js-rouge ${short(rouge.l(answer, wanted, {}))}`);
}
JS
env/bin/python run.py > py
echo "js-rouge $(node -p "JSON.parse(require('fs').readFileSync('node_modules/js-rouge/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
the cat sat | the cat sat
    ROUGE-1: rouge-score 1, rouge 1, js-rouge 1
    ROUGE-L: rouge-score 1, rouge 1, js-rouge 1
the the the | the
    ROUGE-1: rouge-score 0.5, rouge 1, js-rouge 0.5
    ROUGE-L: rouge-score 0.5, rouge 1, js-rouge 0.5
-5 | 5
    ROUGE-1: rouge-score 1, rouge 0, js-rouge 0
    ROUGE-L: rouge-score 1, rouge 0, js-rouge 0
version 1.2 | version 1.3
    ROUGE-1: rouge-score 0.667, rouge 0.667, js-rouge 0.5
    ROUGE-L: rouge-score 0.667, rouge 0.667, js-rouge 0.5
γεια | γεια
    ROUGE-1: rouge-score 0, rouge 1, js-rouge 1
    ROUGE-L: rouge-score 0, rouge 1, js-rouge 1
The cat slept. It rained. | It rained. The cat slept.
    ROUGE-1: rouge-score 1, rouge 1, js-rouge 1
    ROUGE-L: rouge-score 0.6, rouge 1, js-rouge 1
it is not ready | it is ready
    ROUGE-1: rouge-score 0.857, rouge 0.857, js-rouge 0.857
    ROUGE-L: rouge-score 0.857, rouge 0.857, js-rouge 0.857
END
