#!/usr/bin/env bash
# inspect-ai 0.3.285 (PyPI): the scorers exact() and f1(), on an answer and a target alone; no model is asked.
# Behaviour: "exact" drops a, an and the, all signs and the case before it compares. So an answer that is the letter A, as of a choice of A to D, is wrong though the target is A; B is right. f1 gives 0 for it.
# And what differs in signs alone is the same: p<0.05 and p>0.05, 3:1 and 31, 1/2 and 12, C# and C++, a date without its points. A minus before a number goes too: -1.5 is exactly 1.5.
# Seen:   exact A / A: I (incorrect), f1 0.0; exact "p<0.05" / "p>0.05": C (correct); "1/2" / "12": C; "-1.5" / "1.5": C
# Expected by most: C for A, I for the others.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check inspect-ai==0.3.285
cat > run.py <<'PY'
import asyncio
import importlib.metadata
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Target, exact, f1
from inspect_ai.solver import TaskState

print('inspect-ai', importlib.metadata.version('inspect-ai'))


def score(scorer, answer, target):
    state = TaskState(model='mockllm/model', sample_id=1, epoch=1, input='q', messages=[], output=ModelOutput.from_content('m', answer))
    return asyncio.run(scorer(state, Target(target))).value


for answer, target in [('A', 'A'), ('B', 'B'), ('An A', 'A'), ('p<0.05', 'p>0.05'), ('3:1', '31'), ('1/2', '12'), ('-1.5', '1.5'), ('C#', 'C++'), ('10.10.2025', '10102025'), ('user@x.org', 'userxorg'), ('1.5', '15')]:
    print(f'answer {answer!r} target {target!r}:', 'exact', score(exact(), answer, target), 'f1', score(f1(), answer, target))
PY
env/bin/python run.py | tee out
diff out - <<'END'
inspect-ai 0.3.285
answer 'A' target 'A': exact I f1 0.0
answer 'B' target 'B': exact C f1 1.0
answer 'An A' target 'A': exact I f1 0.0
answer 'p<0.05' target 'p>0.05': exact C f1 1.0
answer '3:1' target '31': exact C f1 1.0
answer '1/2' target '12': exact C f1 1.0
answer '-1.5' target '1.5': exact C f1 1.0
answer 'C#' target 'C++': exact C f1 1.0
answer '10.10.2025' target '10102025': exact C f1 1.0
answer 'user@x.org' target 'userxorg': exact C f1 1.0
answer '1.5' target '15': exact I f1 0.0
END
