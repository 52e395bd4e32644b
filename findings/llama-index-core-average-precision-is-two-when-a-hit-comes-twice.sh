#!/usr/bin/env bash
# llama-index-core 0.14.25 (PyPI): the metrics of retrieval (evaluation.retrieval.metrics), on ids alone.
# Behaviour: a right node that is retrieved twice, as two retrievers whose lists are joined give it, counts twice in average precision and in NDCG: both go above 1, so that a retriever that repeats itself is better than a perfect one.
# Precision and recall take the ids as sets: [a, a, a, x] has a precision of a half. An expected id that is listed twice makes the NDCG of a perfect answer 0.61. No error, no warning.
# Seen:   expected [a], retrieved [a, a]: ap 2.0, ndcg 1.631; [a, a, a]: ap 3.0
# Expected by most: at most 1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check llama-index-core==0.14.25
cat > run.py <<'PY'
import importlib.metadata
from llama_index.core.evaluation.retrieval.metrics import METRIC_REGISTRY

print('llama-index-core', importlib.metadata.version('llama-index-core'))
for expected, retrieved in [(['a'], ['a']), (['a'], ['a', 'a']), (['a'], ['a', 'a', 'a']), (['a', 'b'], ['a', 'b']), (['a', 'b'], ['a', 'a']), (['a'], ['a', 'a', 'a', 'x']), (['a', 'a'], ['a'])]:
    scores = {name: round(METRIC_REGISTRY[name]().compute(query='q', expected_ids=expected, retrieved_ids=retrieved).score, 3) for name in ('precision', 'recall', 'mrr', 'ap', 'ndcg')}
    print(f'expected {expected} retrieved {retrieved}:', scores)
PY
env/bin/python run.py | tee out
diff out - <<'END'
llama-index-core 0.14.25
expected ['a'] retrieved ['a']: {'precision': 1.0, 'recall': 1.0, 'mrr': 1.0, 'ap': 1.0, 'ndcg': 1.0}
expected ['a'] retrieved ['a', 'a']: {'precision': 1.0, 'recall': 1.0, 'mrr': 1.0, 'ap': 2.0, 'ndcg': 1.631}
expected ['a'] retrieved ['a', 'a', 'a']: {'precision': 1.0, 'recall': 1.0, 'mrr': 1.0, 'ap': 3.0, 'ndcg': 2.131}
expected ['a', 'b'] retrieved ['a', 'b']: {'precision': 1.0, 'recall': 1.0, 'mrr': 1.0, 'ap': 1.0, 'ndcg': 1.0}
expected ['a', 'b'] retrieved ['a', 'a']: {'precision': 1.0, 'recall': 0.5, 'mrr': 1.0, 'ap': 1.0, 'ndcg': 1.0}
expected ['a'] retrieved ['a', 'a', 'a', 'x']: {'precision': 0.5, 'recall': 1.0, 'mrr': 1.0, 'ap': 3.0, 'ndcg': 2.131}
expected ['a', 'a'] retrieved ['a']: {'precision': 1.0, 'recall': 1.0, 'mrr': 1.0, 'ap': 1.0, 'ndcg': 0.613}
END
