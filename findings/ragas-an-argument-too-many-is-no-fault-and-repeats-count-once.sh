#!/usr/bin/env bash
# ragas 0.4.3 with langchain-community 0.3.31 (PyPI), its scores for the tools that an agent called: ToolCallAccuracy and ToolCallF1 as they are, no model.
# Behaviour: ToolCallAccuracy looks only at the arguments that the expected call names. One that was added, such as recursive=True, costs nothing; and values
# are compared as texts, so "1" is 1 and "None" is nothing. One call too few or too many makes the whole score 0. ToolCallF1 compares whole calls as sets: a
# call made three times, or once of two expected times, is right. No call where none was expected is 1.0 for the one and 0.0 for the other.
# Seen:   delete(path, recursive=True) for delete(path): 1.0 / pay three times for once: F1 1.0 / three of four calls right: 0.0 / none for none: F1 0.0
# Expected by most: below 1 for an argument too many and for a payment made three times; part of the score for three of four; 1 for none.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export RAGAS_DO_NOT_TRACK=true
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ragas==0.4.3 langchain-community==0.3.31
cat > run.py <<'PY'
import importlib.metadata
import warnings

warnings.simplefilter('ignore')
from ragas.messages import AIMessage, HumanMessage, ToolCall
from ragas.metrics.collections import ToolCallAccuracy, ToolCallF1

print('ragas', importlib.metadata.version('ragas'))


def call(name, **values):
    return ToolCall(name=name, args=values)


a, b, c, d = (call('read', path=name) for name in 'abcd')
for what, made, expected in [
    ('the same', [a, b], [a, b]),
    ('an argument too many', [call('delete', path='a', recursive=True)], [call('delete', path='a')]),
    ('a text for a number', [call('pay', amount='1', note='None')], [call('pay', amount=1, note=None)]),
    ('one of two arguments wrong', [call('pay', amount=900, to='Ann')], [call('pay', amount=9, to='Ann')]),
    ('three of four', [a, b, c], [a, b, c, d]),
    ('three times for once', [call('pay', amount=9)] * 3, [call('pay', amount=9)]),
    ('once for twice', [a], [a, a]),
    ('none for none', [], []),
]:
    history = [HumanMessage(content='Do it.'), AIMessage(content='', tool_calls=made)]
    scores = [metric.score(user_input=history, reference_tool_calls=expected).value for metric in [ToolCallAccuracy(), ToolCallF1()]]
    print(f'{what}: accuracy {scores[0]}, F1 {scores[1]}')
PY
env/bin/python run.py 2> /dev/null | tee out
diff out - <<'END'
ragas 0.4.3
the same: accuracy 1.0, F1 1.0
an argument too many: accuracy 1.0, F1 0.0
a text for a number: accuracy 1.0, F1 0.0
one of two arguments wrong: accuracy 0.5, F1 0.0
three of four: accuracy 0.0, F1 0.8571
three times for once: accuracy 0.0, F1 1.0
once for twice: accuracy 0.0, F1 1.0
none for none: accuracy 1.0, F1 0.0
END
