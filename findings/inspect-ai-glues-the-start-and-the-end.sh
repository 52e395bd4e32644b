#!/usr/bin/env bash
# inspect-ai 0.3.285 (PyPI), the framework for evaluations of agents: what a model is shown of a tool's large output (the limit is 16 KiB by default).
# Behaviour: half of it is the start and half the end, and they are put together with nothing between them, neither a mark nor a line break. So there
# is a line, and even a number, that is in no output: a row of one record goes on as one of another. The words around it say "a truncated version",
# not where, nor how much is missing.
# Seen:   5,000 lines as "row 529 is 3703": one line "row 529 i15", made of two
# Expected by most: a mark where something was taken out, or the start alone.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check inspect-ai==0.3.285
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import sys
from inspect_ai.model import ChatMessageAssistant, execute_tools
from inspect_ai.tool import ToolCall, tool

print('inspect-ai', importlib.metadata.version('inspect-ai'), file=sys.stderr)
whole = '\n'.join(f'row {number} is {number * 7}' for number in range(1, 5001))


@tool
def rows():
    async def execute() -> str:
        """Lists rows."""
        return whole

    return execute


async def main():
    call = ToolCall(id='1', function='rows', arguments={})
    result = await execute_tools([ChatMessageAssistant(content='', tool_calls=[call])], [rows()])
    text = result.messages[0].text
    known = set(whole.split('\n'))
    print(len(whole), 'characters become', len(text))
    for line in text.split('\n'):
        if line not in known:
            print('not a line of the output:', repr(line))


asyncio.run(main())
PY
env/bin/python run.py | tee out
diff out - <<'END'
87307 characters become 16515
not a line of the output: ''
not a line of the output: 'The output of your call to rows was too long to be displayed.'
not a line of the output: 'Here is a truncated version:'
not a line of the output: '<START_TOOL_OUTPUT>'
not a line of the output: 'row 529 i15'
not a line of the output: '<END_TOOL_OUTPUT>'
not a line of the output: ''
END
