#!/usr/bin/env bash
# autogen-core and autogen-ext 0.7.5 (PyPI), the two contexts that keep a history short: TokenLimitedChatCompletionContext and
# HeadAndTailChatCompletionContext.
# Behaviour: over the limit the first takes out one message after the other from the middle until the rest fits, and looks at no pairs: results stay
# whose call is gone and calls whose result is gone, which models' APIs refuse, and nothing says that something is missing. The second keeps pairs at
# its edges by dropping what it should have kept, and the number in its "Skipped N messages" leaves these out.
# Seen:   room for 7 of 11: call 2, result 4 / head 2, tail 3: 3 of 11 are kept, "Skipped 6 messages."
# Expected by most: calls and results go together, the oldest first.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check autogen-core==0.7.5 autogen-ext==0.7.5 autogen-agentchat==0.7.5
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import sys
from autogen_core import FunctionCall
from autogen_core.model_context import HeadAndTailChatCompletionContext, TokenLimitedChatCompletionContext
from autogen_core.models import AssistantMessage, FunctionExecutionResult, FunctionExecutionResultMessage, UserMessage
from autogen_ext.models.replay import ReplayChatCompletionClient

print(*(name + ' ' + importlib.metadata.version(name) for name in ('autogen-core', 'autogen-ext')), file=sys.stderr)
client = ReplayChatCompletionClient([])
# Each message counts 100, so that no table of tokens has to be loaded.
client.count_tokens = lambda messages, *, tools=(): 100 * len(messages)
history = [UserMessage(content='the task', source='user')]
for number in range(1, 6):
    history.append(AssistantMessage(content=[FunctionCall(id=str(number), name='read', arguments='{}')], source='agent'))
    history.append(FunctionExecutionResultMessage(content=[FunctionExecutionResult(content='text', name='read', call_id=str(number), is_error=False)]))


def told(message):
    if isinstance(message, UserMessage):
        return message.content
    return ('call ' if isinstance(message, AssistantMessage) else 'result ') + (message.content[0].id if isinstance(message, AssistantMessage) else message.content[0].call_id)


async def main():
    print(f'{len(history)} messages:', *map(told, history), sep=' | ')
    for limit in (900, 700, 600):
        context = TokenLimitedChatCompletionContext(client, token_limit=limit, initial_messages=history)
        print(f'room for {limit // 100}:', *map(told, await context.get_messages()), sep=' | ')
    for head, tail in ((2, 3), (1, 2)):
        context = HeadAndTailChatCompletionContext(head, tail, initial_messages=history)
        print(f'head {head}, tail {tail}:', *map(told, await context.get_messages()), sep=' | ')


asyncio.run(main())
PY
env/bin/python run.py | tee out
diff out - <<'END'
11 messages: | the task | call 1 | result 1 | call 2 | result 2 | call 3 | result 3 | call 4 | result 4 | call 5 | result 5
room for 9: | the task | call 1 | result 1 | call 2 | result 2 | call 4 | result 4 | call 5 | result 5
room for 7: | the task | call 1 | result 1 | call 2 | result 4 | call 5 | result 5
room for 6: | the task | call 1 | result 1 | result 4 | call 5 | result 5
head 2, tail 3: | the task | Skipped 6 messages. | call 5 | result 5
head 1, tail 2: | the task | Skipped 8 messages. | call 5 | result 5
END
