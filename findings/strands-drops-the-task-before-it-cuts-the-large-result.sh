#!/usr/bin/env bash
# strands-agents 1.62.0 (PyPI): an Agent as it is, whose model says that the context is too long (here above 5,000 characters) after a tool gave a large text.
# Behaviour: the agent shortens the results of ONE message, the oldest that has any, to 200 characters at each end. If that one is short already or was shortened before,
# nothing is done to the newer and larger ones: the oldest messages go first, and the first is the user's task. Only when the large result has become the oldest is it
# shortened, and the model goes on from a call of its own, without the task. So it depends on whether a small call came before. Data given as json are never
# shortened: with these the run ends with an exception. A text of 420 characters gets longer by the shortening.
# Seen:   large: task, 449 characters / small, then large: no task, 449 characters / large twice: no task / data: ContextWindowOverflowException
# Expected by most: the largest results are shortened first, and the task stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check strands-agents==1.62.0
cat > run.py <<'PY'
import importlib.metadata
import json
from strands import Agent, tool
from strands.models import Model
from strands.types.exceptions import ContextWindowOverflowException


class Pretend(Model):
    def __init__(self, plan):
        self.plan, self.seen = plan, []

    def update_config(self, **config):
        pass

    def get_config(self):
        return {}

    async def structured_output(self, *rest, **more):
        yield {}

    async def stream(self, messages, *rest, **more):
        parts = [part for message in messages for part in message['content']]
        shown = []
        for part in parts:
            if 'toolResult' in part:
                block = part['toolResult']['content'][0]
                shown.append(len(block['text'] if 'text' in block else json.dumps(block['json'])))
            elif part.get('text', '').startswith('TASK'):
                shown.append('task')
        fits = len(json.dumps(messages, default=str)) <= 5000
        self.seen.append((shown, 'fits' if fits else 'too long'))
        if not fits:
            raise ContextWindowOverflowException('too long')
        yield {'messageStart': {'role': 'assistant'}}
        name = self.plan.pop(0) if self.plan else None
        yield {'contentBlockStart': {'start': {'toolUse': {'name': name, 'toolUseId': f'c{len(self.plan)}'}} if name else {}}}
        yield {'contentBlockDelta': {'delta': {'toolUse': {'input': '{}'}} if name else {'text': 'end'}}}
        yield {'contentBlockStop': {}}
        yield {'messageStop': {'stopReason': 'tool_use' if name else 'end_turn'}}


@tool
def small() -> str:
    """Small."""
    return 'ok'


@tool
def middle() -> str:
    """Middle."""
    return 'm' * 420


@tool
def large() -> str:
    """Large."""
    return '\n'.join(f'line {i}' for i in range(1000))


@tool
def data() -> dict:
    """Data."""
    return {'status': 'success', 'content': [{'json': {f'key{i}': i for i in range(500)}}]}


print('strands-agents', importlib.metadata.version('strands-agents'))
for plan in (['large'], ['small', 'large'], ['large', 'large'], ['middle', 'large'], ['data']):
    model = Pretend(list(plan))
    try:
        end = str(Agent(model=model, tools=[small, middle, large, data], callback_handler=None)('TASK: find the test that fails.')).strip()
    except ContextWindowOverflowException as error:
        end = type(error).__name__
    print(', '.join(plan) + ':', *(f'{shown} {how};' for shown, how in model.seen[len(plan):]), end)
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
large: ['task', 8889] too long; ['task', 449] fits; end
small, large: ['task', 2, 8889] too long; [8889] too long; [449] fits; end
large, large: ['task', 449] fits; ['task', 449, 8889] too long; [8889] too long; [449] fits; end
middle, large: ['task', 420, 8889] too long; ['task', 447, 8889] too long; [8889] too long; [449] fits; end
data: ['task', 7280] too long; ContextWindowOverflowException
END
)
