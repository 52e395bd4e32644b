#!/usr/bin/env bash
# yake 0.7.3 (PyPI), keywords of a text without training, as indexers and memories of agents use it.
# Behaviour: a word with a digit in it is never a keyword nor part of one, however often it comes: GPT-4, COVID-19, IPv6, Log4j, E4031, and the 15 of iPhone 15.
# What stands around it is given in its place, so the text on COVID-19 is about tests and doctors. Words without digits but with signs, such as C++, are not given either.
# Seen:   iPhone without 15; COVID-19, Log4j, E4031, IPv6, GPT-4 in no list
# Expected by most: the name that stands in each sentence is the first keyword.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check yake==0.7.3
cat > run.py <<'PY'
import importlib.metadata
import yake

print('yake', importlib.metadata.version('yake'))
for name, text in [('COVID-19', 'The COVID-19 wave came. COVID-19 tests are free. Doctors fear COVID-19.'),
                   ('iPhone 15', 'The iPhone 15 costs more. The iPhone 15 sells. The iPhone 15 is heavy.'),
                   ('Log4j', 'Use Log4j with care. Log4j was patched. Log4j is old.'),
                   ('E4031', 'Error E4031 comes back. E4031 means a leak. The pump shows E4031.'),
                   ('IPv6', 'IPv6 is on. IPv6 is used. Check IPv6 routes.'),
                   ('C++', 'We like C++ here. C++ is fast. Old code is in C++.'),
                   ('SQLite', 'Use SQLite with care. SQLite was patched. SQLite is old.')]:
    words = [word for word, _ in yake.KeywordExtractor(top=20).extract_keywords(text)]
    print(name, 'is a keyword:', any(name in word for word in words), '; keywords:', ', '.join(sorted(words)))
PY
env/bin/python run.py | tee out
diff out - <<'END'
yake 0.7.3
COVID-19 is a keyword: False ; keywords: Doctors, Doctors fear, fear, free, tests, tests are free, wave
iPhone 15 is a keyword: False ; keywords: costs, heavy, iPhone, sells
Log4j is a keyword: False ; keywords: care, patched
E4031 is a keyword: False ; keywords: Error, back, leak, pump, pump shows, shows
IPv6 is a keyword: False ; keywords: Check, routes
C++ is a keyword: False ; keywords: code, fast
SQLite is a keyword: True ; keywords: SQLite, SQLite was patched, SQLite with care, care, patched
END
