#!/usr/bin/env bash
# rank-bm25 0.2.2 (PyPI), the BM25 of most tutorials on search for agents.
# Behaviour: in BM25Okapi a word in exactly half of the documents counts nothing, and one in three of four counts something: the first has a weight of 0,
# the second a negative one that is replaced by a quarter of the mean. So of two documents the one with the word is not ranked above the other.
# In BM25Plus every document that does NOT have the word gets a score well above 0, so no threshold tells a match from none.
# Seen:   half: [0.0, 0.0, 0.0, 0.0] / three of four: above 0 / one of two: [0.0, 0.0] / BM25Plus, one of five: 3 and four times 1.792
# Expected by most: the rarer a word the more it counts, and 0 for a document without it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rank-bm25==0.2.2 numpy==2.4.6
cat > run.py <<'PY'
import importlib.metadata
from rank_bm25 import BM25Okapi, BM25Plus

print('rank-bm25', importlib.metadata.version('rank-bm25'))


def scores(kind, documents, word='issue'):
    return [round(float(score), 3) for score in kind([text.split() for text in documents]).get_scores([word])]


half = ['create issue', 'close issue', 'list users', 'send mail']
most = ['create issue', 'close issue', 'list issue', 'send mail']
print('half:', scores(BM25Okapi, half))
print('three of four:', scores(BM25Okapi, most))
print('one of two:', scores(BM25Okapi, ['create issue', 'list users']))
print('BM25Plus, one of five:', scores(BM25Plus, ['create issue', 'list users', 'send mail', 'read page', 'delete file']))
PY
env/bin/python run.py | tee out
grep -qx 'half: \[0.0, 0.0, 0.0, 0.0\]' out && grep -qx 'one of two: \[0.0, 0.0\]' out
grep -qE '^three of four: \[(0\.[0-9]*[1-9][0-9]*, ){3}0\.0\]$' out && grep -qE '^BM25Plus, one of five: \[[2-9]\.[0-9]+(, 1\.792){4}\]$' out
