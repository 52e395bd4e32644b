#!/usr/bin/env bash
# deepeval 4.3.1 (PyPI), ToolCorrectnessMetric, its score for the tools that an agent called, with evaluation_params for their arguments; no model is asked.
# Behaviour: with should_consider_ordering, a call whose argument differs is reported as "out-of-order tools", with two lists of names that are equal. Without
# it the reason names "missing tools" that were called, and an empty list when one of two equal calls is missing. A wrong argument out of two gives 0.5, which
# is the threshold: the test passes. Extra calls, and a call made twice, give 1.0.
# Seen:   pay(900) for pay(9), then mail: out-of-order tools ['pay']; expected ['pay', 'mail'], called ['pay', 'mail'] / called once of twice: missing tools []
# Expected by most: a reason that says that an argument differs; the missing call in the list; a test that fails.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export DEEPEVAL_TELEMETRY_OPT_OUT=YES
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check deepeval==4.3.1
cat > run.py <<'PY'
import importlib.metadata
import warnings

warnings.simplefilter('ignore')
from deepeval.metrics import ToolCorrectnessMetric
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase, ToolCall, ToolCallParams

print('deepeval', importlib.metadata.version('deepeval'))


class NoModel(DeepEvalBaseLLM):
    def load_model(self):
        return self

    def generate(self, *args, **kwargs):
        raise RuntimeError('a model was asked')

    a_generate = generate

    def get_model_name(self):
        return 'none'


def call(name, **values):
    return ToolCall(name=name, input_parameters=values)


for what, made, expected, settings in [
    ('a wrong argument, order counts', [call('pay', amount=900), call('mail', to='Ann')], [call('pay', amount=9), call('mail', to='Ann')],
     {'should_consider_ordering': True}),
    ('a wrong argument of two', [call('pay', amount=900, to='Ann')], [call('pay', amount=9, to='Ann')], {}),
    ('once for twice', [call('pay', amount=9)], [call('pay', amount=9)] * 2, {}),
    ('twice for once', [call('pay', amount=9)] * 2, [call('pay', amount=9)], {}),
]:
    metric = ToolCorrectnessMetric(model=NoModel(), evaluation_params=[ToolCallParams.INPUT_PARAMETERS], async_mode=False, **settings)
    metric.measure(LLMTestCase(input='Do it.', actual_output='Done.', tools_called=made, expected_tools=expected), _show_indicator=False)
    reason = ' '.join(metric.reason.split('Tool Selection')[0].split()).removeprefix('[ Tool Calling Reason: ')
    print(f'{what}: {metric.score}, passes {metric.is_successful()}\n  {reason}')
PY
env/bin/python run.py 2> /dev/null | tee out
diff out - <<'END'
deepeval 4.3.1
a wrong argument, order counts: 0.5, passes True
  Incorrect tool usage: out-of-order tools ['pay']; expected ['pay', 'mail'], called ['pay', 'mail']. See more details above.
a wrong argument of two: 0.5, passes True
  Incomplete tool usage: missing tools [ToolCall( name="pay", type="FUNCTION", input_parameters={ "amount": 9, "to": "Ann" } )]; expected ['pay'], called ['pay']. See more details above.
once for twice: 0.5, passes True
  Incomplete tool usage: missing tools []; expected ['pay', 'pay'], called ['pay']. See more details above.
twice for once: 1.0, passes True
  All expected tools ['pay'] were called (order not considered).
END
