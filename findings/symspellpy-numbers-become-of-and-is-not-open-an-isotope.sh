#!/usr/bin/env bash
# symspellpy 6.10.1 (PyPI), the spelling corrector, with the English dictionaries that it ships.
# Behaviour: lookup_compound takes each token that is no word for a misspelt one. Figures become "of" and "a", the rest of an address goes, and so a sentence
# that was right reads well and says nothing any more. word_segmentation loses figures without a trace, and "isnotopen" is one word of another kind.
# Seen:   error 404 in node.js: error of a in node is / price is 5.50: price is a of / isnotopen: isotope / port8080isopen: port is open
# Expected by most: figures stay as they are; "is not open".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check symspellpy==6.10.1
cat > run.py <<'PY'
import importlib.metadata
from importlib.resources import files
from symspellpy import SymSpell

print('symspellpy', importlib.metadata.version('symspellpy'))
speller = SymSpell()
speller.load_dictionary(str(files('symspellpy') / 'frequency_dictionary_en_82_765.txt'), 0, 1)
speller.load_bigram_dictionary(str(files('symspellpy') / 'frequency_bigramdictionary_en_243_342.txt'), 0, 2)
for text in ('error 404 in node.js', 'price is 5.50', 'cannot connect to 10.0.0.1', 'user 42 is blocked'):
    print(f'{text}: {speller.lookup_compound(text, 2)[0].term}')
    print(f'    ignore_non_words: {speller.lookup_compound(text, 2, ignore_non_words=True)[0].term}')
for text in ('thequickbrownfox', 'isnotopen', 'port8080isopen', 'costs5.50now'):
    print(f'{text}: {speller.word_segmentation(text).corrected_string}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
symspellpy 6.10.1
error 404 in node.js: error of a in node is
    ignore_non_words: error 404 in node is
price is 5.50: price is a of
    ignore_non_words: price is 5 50
cannot connect to 10.0.0.1: cannot connect to of a a a
    ignore_non_words: cannot connect to 10 0 0 1
user 42 is blocked: user of is blocked
    ignore_non_words: user 42 is blocked
thequickbrownfox: the quick brown fox
isnotopen: isotope
port8080isopen: port is open
costs5.50now: costs now
END
