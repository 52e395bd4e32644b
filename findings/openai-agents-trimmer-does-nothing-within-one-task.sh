#!/usr/bin/env bash
# openai-agents 0.24.0 (PyPI), ToolOutputTrimmer of its extensions, which shortens large outputs of "older turns" before each request.
# Behaviour: its turns are messages of the user, while a turn of the same SDK's runner (max_turns) is a request to the model. So in an agent that was
# given one task, as most are, nothing is ever old: 40 outputs of 4,000 characters all go out whole with each request. As soon as the user has said
# two more things, all of them are cut at once to their first 200 characters, and the end, where errors stand, is not kept.
# Seen:   one task, 40 outputs: 160,000 characters before and after / after two more messages: 160,000 before, about 10,000 after
# Expected by most: the outputs of the last two requests stay, older ones are shortened.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check openai-agents==0.24.0
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import sys
from agents import Agent, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.extensions import ToolOutputTrimmer
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

print('openai-agents', importlib.metadata.version('openai-agents'), file=sys.stderr)
sent = []


class Scripted(Model):
    def __init__(self, calls):
        self.left = calls

    async def get_response(self, system_instructions, input, *args, **kwargs):
        sent.append([len(item['output']) for item in input if item.get('type') == 'function_call_output'])
        if self.left:
            self.left -= 1
            output = [ResponseFunctionToolCall(type='function_call', name='read', call_id=f'call-{self.left}', arguments='{}')]
        else:
            output = [ResponseOutputMessage(id='m', type='message', role='assistant', status='completed', content=[ResponseOutputText(type='output_text', text='done', annotations=[])])]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


@function_tool
def read() -> str:
    """Reads."""
    return 'x' * 4000


async def main():
    agent = Agent(name='a', model=Scripted(40), tools=[read])
    config = RunConfig(call_model_input_filter=ToolOutputTrimmer(), tracing_disabled=True)
    result = await Runner.run(agent, 'the task', run_config=config, max_turns=50)
    print(f'one task, request {len(sent)}: {len(sent[-1])} outputs, {sum(sent[-1])} characters')
    for word in ('first', 'second'):
        result = await Runner.run(agent, [*result.to_input_list(), {'role': 'user', 'content': word}], run_config=config)
        print(f'after the {word} further message: {len(sent[-1])} outputs, {sum(sent[-1])} characters')


asyncio.run(main())
PY
env/bin/python run.py | tee out
diff out - <<'END'
one task, request 41: 40 outputs, 160000 characters
after the first further message: 40 outputs, 160000 characters
after the second further message: 40 outputs, 10320 characters
END
