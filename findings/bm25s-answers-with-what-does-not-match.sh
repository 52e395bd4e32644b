#!/usr/bin/env bash
# bm25s 0.3.16 (PyPI), a fast BM25 that catalogues and stores are searched with, default settings.
# Behaviour: it always gives k documents. Where fewer match, the rest are documents without any of the words, with a score of 0, and a query of which
# no word is known gives k of these alone; a k above the size of the corpus is an error. Its tokenizer leaves out words of one letter and English stop
# words, among them "not" and "no", and takes create_issue as one word.
# Seen:   issue: 3 documents, one of them with a score / xyzzy: 3 documents with 0 / k 10 of 5: ValueError / words of "do not use C or a_b": use, a_b
# Expected by most: only what matches, and fewer than k where there is no more.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check bm25s==0.3.16
cat > run.py <<'PY'
import importlib.metadata
import bm25s

print('bm25s', importlib.metadata.version('bm25s'))
corpus = ['create_issue opens an issue', 'list users', 'delete file', 'read page', 'send mail']
ranker = bm25s.BM25()
ranker.index(bm25s.tokenize(corpus, show_progress=False), show_progress=False)


def found(query, k):
    scores = ranker.retrieve(bm25s.tokenize([query], show_progress=False), k=k, show_progress=False)[1][0]
    return f'{len(scores)} documents, {sum(float(score) > 0 for score in scores)} with a score'


print('issue:', found('issue', 3))
print('create:', found('create', 3))
print('xyzzy:', found('xyzzy', 3))
try:
    print('k 10 of 5:', found('issue', 10))
except ValueError:
    print('k 10 of 5: ValueError')
print('words:', bm25s.tokenize(['do not use C or a_b'], return_ids=False, show_progress=False)[0])
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(printf '%s\n' 'issue: 3 documents, 1 with a score' 'create: 3 documents, 0 with a score' 'xyzzy: 3 documents, 0 with a score' 'k 10 of 5: ValueError' "words: ['do', 'use', 'a_b']")
