#!/usr/bin/env bash
# agentevals 0.0.9 (PyPI): create_trajectory_match_evaluator, which compares an agent's calls with those of a reference; no model.
# Behaviour: with the trajectory mode "unordered" each call of the reference takes the first call that fits, and is not taken back. With the argument mode "superset" or "subset" a call that fits two can be used up by the wrong one.
# So a run with exactly the calls of the reference fails if they came in the other order, and passes in the same. With "exact" arguments the order is of no matter. true and 1 are one value; the calls of one message may be in any order even with "strict".
# Seen:   search(q), search(q, page) against itself: true; the two turned round: false
# Expected by most: true for both, as "unordered" says.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agentevals==0.0.9
cat > run.py <<'PY'
import importlib.metadata
import json
from agentevals.trajectory.match import create_trajectory_match_evaluator

print('agentevals', importlib.metadata.version('agentevals'))


def run(*messages):
    history = [{'role': 'user', 'content': 'Find it.'}]
    for calls in messages:
        history.append({'role': 'assistant', 'content': '', 'tool_calls': [{'function': {'name': 'search', 'arguments': json.dumps(call)}} for call in calls]})
        history += [{'role': 'tool', 'content': 'ok'} for _ in calls]
    return history + [{'role': 'assistant', 'content': 'Done.'}]


def score(outputs, reference, mode, arguments):
    evaluate = create_trajectory_match_evaluator(trajectory_match_mode=mode, tool_args_match_mode=arguments)
    return evaluate(outputs=outputs, reference_outputs=reference)['score']


short, long = {'q': 'x'}, {'q': 'x', 'page': 2}
for arguments in ('exact', 'superset', 'subset'):
    print('unordered,', arguments + ':', 'the same order', score(run([short], [long]), run([short], [long]), 'unordered', arguments),
          '/ turned round', score(run([long], [short]), run([short], [long]), 'unordered', arguments), '/ and back', score(run([short], [long]), run([long], [short]), 'unordered', arguments))
print('strict, exact: two messages turned round', score(run([long], [short]), run([short], [long]), 'strict', 'exact'), '/ one message turned round', score(run([long, short]), run([short, long]), 'strict', 'exact'))
print('strict, exact: true against 1', score(run([{'all': True}]), run([{'all': 1}]), 'strict', 'exact'))
PY
env/bin/python run.py | tee out
diff out - <<'END'
agentevals 0.0.9
unordered, exact: the same order True / turned round True / and back True
unordered, superset: the same order True / turned round False / and back False
unordered, subset: the same order True / turned round False / and back False
strict, exact: two messages turned round False / one message turned round True
strict, exact: true against 1 True
END
