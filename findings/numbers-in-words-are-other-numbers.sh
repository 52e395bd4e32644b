#!/usr/bin/env bash
# word2number 1.1 and quantulum3 0.10.0 (PyPI, without its classifier, as it installs), compromise 14.17.0 (npm): numbers out of sentences, default settings.
# Behaviour: none of them reports what it did not read. word2number passes over digits when a word of size follows: 5 thousand is 1000, 2.5 million and 10 million are 1000000; two and a half million is two
# million, and a year in words is a sum. quantulum3 makes half a million 1,500,000, and of 1,5 kg a 1 and 5 kg. In compromise -5 is 5, while minus five is -5; 5k and 5bn are 5, 20 000 is 20
# and 0, and of a year in words the tens become 0.
# Seen:   5 thousand: 1000 / half a million: 1000000, 1500000, 500000 / -5: 5 / 5bn: 5 / nineteen eighty four: 1524 and 19, 80, 4
# Most would guess: 5000, 500000, -5, 5000000000.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund compromise@14.17.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check word2number==1.1 quantulum3==0.10.0
cat > run.py <<'PY'
import logging
import warnings

warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)
from quantulum3 import parser
from word2number import w2n

for text in ['five thousand', '5 thousand', '10 million users', '2.5 million', 'two and a half million', 'half a million', 'nineteen eighty four']:
    print(f'word2number {text}: {w2n.word_to_num(text)}')
for text in ['five thousand', '2.5 million', 'half a million users', '1,5 kg']:
    print(f'quantulum3 {text}: {[found.value for found in parser.parse(text)]}')
PY
cat > run.mjs <<'JS'
import nlp from 'compromise';
for (const text of ['five thousand', '2.5 million', 'half a million', '-5', 'it fell to -5 degrees', 'minus five', '-1.5', '5k users', '5bn', '20 000', 'nineteen eighty four', 'twenty twenty four']) {
  console.log(`compromise ${text}: ${JSON.stringify(nlp(text).numbers().get())}`);
}
JS
echo "compromise $(node -p "JSON.parse(require('fs').readFileSync('node_modules/compromise/package.json')).version")"
env/bin/python -c 'from importlib.metadata import version; print(*(f"{name} {version(name)}" for name in ["word2number", "quantulum3"]))'
{ env/bin/python run.py; node run.mjs; } | tee out
diff out - <<'END'
word2number five thousand: 5000
word2number 5 thousand: 1000
word2number 10 million users: 1000000
word2number 2.5 million: 1000000
word2number two and a half million: 2000000
word2number half a million: 1000000
word2number nineteen eighty four: 1524
quantulum3 five thousand: [5000.0]
quantulum3 2.5 million: [2500000.0]
quantulum3 half a million users: [1500000.0]
quantulum3 1,5 kg: [1.0, 5.0]
compromise five thousand: [5000]
compromise 2.5 million: [2500000]
compromise half a million: [500000]
compromise -5: [5]
compromise it fell to -5 degrees: [5]
compromise minus five: [-5]
compromise -1.5: [1.5]
compromise 5k users: [5]
compromise 5bn: [5]
compromise 20 000: [20,0]
compromise nineteen eighty four: [19,80,4]
compromise twenty twenty four: [0,4]
END
