#!/usr/bin/env bash
# snowballstemmer 3.1.1, nltk 3.10.4 and tantivy 0.27.0 (PyPI), three libraries with the stemmer called "english" of the project Snowball.
# Behaviour: the algorithm was changed in version 3 under its old name. nltk has the former rules, the others the new ones, and words of every day get
# other stems: added is ad or add, so that "added" finds "add" in two of them only; organization meets organ in nltk alone, and international
# internal. An index that was stored with the one and is asked with the other misses these words without an error.
# Seen:   added: nltk ad, the others add / organization: organ, organiz / internal: intern, internal / pasted: past, paste
# Expected by most: a stemmer of one name gives one stem, whoever ships it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check snowballstemmer==3.1.1 nltk==3.10.4 tantivy==0.27.0
cat > run.py <<'PY'
import importlib.metadata
import sys
import snowballstemmer
import tantivy
from nltk.stem.snowball import SnowballStemmer

print(*(name + ' ' + importlib.metadata.version(name) for name in ('snowballstemmer', 'nltk', 'tantivy')), file=sys.stderr)
old = SnowballStemmer('english')
new = snowballstemmer.stemmer('english')
index = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.stemmer('english')).build()
for word in 'add added organ organization internal international past pasted even evening universe university create creating'.split():
    print(f'{word}: nltk {old.stem(word)}, snowballstemmer {new.stemWord(word)}, tantivy {index.analyze(word)[0]}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
add: nltk add, snowballstemmer add, tantivy add
added: nltk ad, snowballstemmer add, tantivy add
organ: nltk organ, snowballstemmer organ, tantivy organ
organization: nltk organ, snowballstemmer organiz, tantivy organiz
internal: nltk intern, snowballstemmer internal, tantivy internal
international: nltk intern, snowballstemmer internat, tantivy internat
past: nltk past, snowballstemmer past, tantivy past
pasted: nltk past, snowballstemmer paste, tantivy paste
even: nltk even, snowballstemmer even, tantivy even
evening: nltk even, snowballstemmer evening, tantivy evening
universe: nltk univers, snowballstemmer univers, tantivy univers
university: nltk univers, snowballstemmer universiti, tantivy universiti
create: nltk creat, snowballstemmer creat, tantivy creat
creating: nltk creat, snowballstemmer creat, tantivy creat
END
