#!/usr/bin/env bash
# ir-measures 0.4.3 (PyPI), one interface to measures of search results, its default providers.
# Behaviour: measures of one call are worked out by different libraries, which break ties in different ways. Three documents with the same score: for RR
# the relevant one is the third, for RR@1 it is the first, and P@1 says that there is none at rank one. So RR@1 is greater than RR, which can not be.
# Scores from few buckets, votes or a fixed number have such ties.
# Seen:   RR 0.3333, RR@1 1.0000, P@1 0.0000, Success@1 0.0000
# Expected by most: RR@1 is never more than RR; all measures see one order.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ir-measures==0.4.3
cat > run.py <<'PY'
import importlib.metadata
import ir_measures
from ir_measures import AP, P, RR, Qrel, ScoredDoc, Success, nDCG

print('ir-measures', importlib.metadata.version('ir-measures'))
wanted = [Qrel('q1', 'd1', 1), Qrel('q1', 'd2', 0)]
for name, scores in (('all equal', (1.0, 1.0, 1.0)), ('d1 first', (3.0, 2.0, 1.0)), ('d1 last', (1.0, 2.0, 3.0))):
    found = [ScoredDoc('q1', doc, score) for doc, score in zip(('d1', 'd2', 'd3'), scores)]
    values = ir_measures.calc_aggregate([RR, RR @ 1, P @ 1, Success @ 1, AP, nDCG @ 10], wanted, found)
    print(name + ': ' + ', '.join(f'{measure} {values[measure]:.4f}' for measure in (RR, RR @ 1, P @ 1, Success @ 1, AP, nDCG @ 10)))
PY
env/bin/python run.py | tee out
diff out - <<'END'
ir-measures 0.4.3
all equal: RR 0.3333, RR@1 1.0000, P@1 0.0000, Success@1 0.0000, AP 0.3333, nDCG@10 0.5000
d1 first: RR 1.0000, RR@1 1.0000, P@1 1.0000, Success@1 1.0000, AP 1.0000, nDCG@10 1.0000
d1 last: RR 0.3333, RR@1 0.0000, P@1 0.0000, Success@1 0.0000, AP 0.3333, nDCG@10 0.5000
END
