#!/usr/bin/env bash
# contexel 0.1.17 (PyPI), which shortens lists of results for a model in fixed steps: dedupe, rescore and rank.
# Behaviour: records without the field that dedupe goes by are all alike to it: the first is kept, the others are dropped, whatever they say. The README calls the step lossless. With two fields a record without both is treated so. rescore takes letters and digits for words: the query "C++" gives "C guide" and "C++ guide"
# one score, and the one that came first stays first.
# Seen:   3 notes without url: 1 left / "C++": C guide 0.216, C++ guide 0.216
# Expected by most: what has no id is no duplicate; C++ is found for C++.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check contexel==0.1.17
cat > run.py <<'PY'
from contexel import dedupe, rank, rescore

results = [
    {'url': 'a', 'text': 'first page'},
    {'text': 'note: the server moved'},
    {'text': 'note: the password changed'},
    {'url': None, 'text': 'note: Ann is away'},
    {'url': 'a', 'text': 'first page again'},
]
print('by url:', [one['text'] for one in dedupe(results, key='url')])
print('by url and line:', [one['text'] for one in dedupe(results, key=['url', 'line'])])
print('whole:', [one['text'] for one in dedupe(results)])
for query in ('C++', 'C#', '.NET'):
    ranked = rank(rescore([{'text': 'C guide'}, {'text': 'C++ guide'}, {'text': 'C# guide'}, {'text': 'net price'}, {'text': '.NET guide'}], query=query, fields=('text',)), by='score', desc=True)
    print(query + ':', [(one['text'], round(one['score'], 3)) for one in ranked if one['score']])
PY
echo "contexel $(env/bin/python -c "import importlib.metadata as m; print(m.version('contexel'))")"
env/bin/python run.py | tee out
diff out - <<'END'
by url: ['first page', 'note: the server moved']
by url and line: ['first page', 'note: the server moved']
whole: ['first page', 'note: the server moved', 'note: the password changed', 'note: Ann is away', 'first page again']
C++: [('C guide', 0.216), ('C++ guide', 0.216), ('C# guide', 0.216)]
C#: [('C guide', 0.216), ('C++ guide', 0.216), ('C# guide', 0.216)]
.NET: [('net price', 0.35), ('.NET guide', 0.35)]
END
