#!/usr/bin/env bash
# langchain 1.5.2 with langchain-core 1.8.3 (PyPI): SummarizationMiddleware with a trigger and otherwise as it is, in an agent that works on one task with many calls.
# Behaviour: before the model is asked for the summary, the old messages are trimmed to the last 4,000 tokens of them, and what is left has to start with a message of the
# user. In a run of an agent the only such message is the first. Where it lies further back than 4,000 tokens nothing is left, no model is asked, and all that the agent
# has from then on in place of the task and of the old calls is a fixed sentence. One large result of a tool is enough. In a chat the last turns of the
# old part are summed up and those before them, with what the user wanted at first, are dropped. With trim_tokens_to_summarize=None all is summed up.
# Seen:   a task and 40 calls: no summary asked for, the agent reads "Previous conversation was too long to summarize.", the task is gone / None: asked, with the task
# Expected by most: a summary of all that is left out, with the task in it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain==1.5.2 langchain-core==1.8.3
cat > run.py <<'PY'
import importlib.metadata
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

asked, seen = [], []


class Writer(GenericFakeChatModel):
    def _generate(self, messages, *rest, **more):
        asked.append(messages[-1].text)
        return super()._generate(messages, *rest, **more)


class Worker(GenericFakeChatModel):
    def bind_tools(self, *rest, **more):
        return self

    def _generate(self, messages, *rest, **more):
        seen.append(messages)
        return super()._generate(messages, *rest, **more)


def call(n, lines):
    return [AIMessage('', tool_calls=[{'name': 'read', 'args': {'path': f'f{n}'}, 'id': f'c{n}'}]),
            ToolMessage('\n'.join(f'f{n} line {i} of the file' for i in range(lines)), tool_call_id=f'c{n}', name='read')]


def calls(count, lines, ask_every=0):
    messages = [HumanMessage('TASK: mend the build, and leave setup.cfg alone.')]
    for n in range(count):
        if ask_every and n and n % ask_every == 0:
            messages += [AIMessage('done'), HumanMessage(f'go on with {n}')]
        messages += call(n, lines)
    return messages


def run(name, messages, **settings):
    asked.clear()
    seen.clear()
    middleware = SummarizationMiddleware(Writer(messages=iter([AIMessage('SUMMARY')])), trigger=('tokens', 6000), **settings)
    create_agent(Worker(messages=iter([AIMessage('end')])), middleware=[middleware]).invoke({'messages': messages})
    shown = seen[0]
    print(f'{name}: {len(messages)} messages, then {len(shown)}, the first: {shown[0].text!r}, the task in them: {any("TASK" in m.text for m in shown)},'
          f' summaries asked for: {len(asked)}, with the task: {any("TASK" in text for text in asked)}')


print(*(name + ' ' + importlib.metadata.version(name) for name in ('langchain', 'langchain-core')))
run('40 calls', calls(40, 40))
run('one large result', calls(1, 1600) + calls(12, 10)[1:])
run('a chat', calls(40, 40, ask_every=5))
run('40 calls, not trimmed', calls(40, 40), trim_tokens_to_summarize=None)
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
40 calls: 81 messages, then 21, the first: 'Here is a summary of the conversation to date:\n\nPrevious conversation was too long to summarize.', the task in them: False, summaries asked for: 0, with the task: False
one large result: 27 messages, then 21, the first: 'Here is a summary of the conversation to date:\n\nPrevious conversation was too long to summarize.', the task in them: False, summaries asked for: 0, with the task: False
a chat: 95 messages, then 21, the first: 'Here is a summary of the conversation to date:\n\nSUMMARY', the task in them: False, summaries asked for: 1, with the task: False
40 calls, not trimmed: 81 messages, then 21, the first: 'Here is a summary of the conversation to date:\n\nSUMMARY', the task in them: False, summaries asked for: 1, with the task: True
END
)
