#!/usr/bin/env bash
# semantic-kernel 1.45.0 (PyPI), ChatHistoryTruncationReducer, which is to keep a history at a number of messages.
# Behaviour: a call and its result stay together, and in one long task (a user's message, then calls and results) that means: the user's message
# is dropped, and all calls with all results are kept, however many. So the history stays as long as it was and has no task any more. With a
# target of 1 all is dropped but the system message, the newest question too. Of two system messages one is kept: the first, or the later one
# where it came late.
# Seen:   target 3 of SYS, task, 4 calls: SYS, 4 calls and results, no task / target 1: SYS alone / SYS1, SYS2: SYS1
# Expected by most: the oldest calls go with their results, and the task stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check semantic-kernel==1.45.0
cat > run.py <<'PY'
import asyncio
from semantic_kernel.contents import ChatHistoryTruncationReducer, ChatMessageContent, FunctionCallContent, FunctionResultContent
from semantic_kernel.contents.utils.author_role import AuthorRole as Role


def said(role, text):
    return ChatMessageContent(role=role, content=text)


def call(number):
    name = f'c{number}'
    return [ChatMessageContent(role=Role.ASSISTANT, items=[FunctionCallContent(id=name, name='search', arguments='{}')]),
            ChatMessageContent(role=Role.TOOL, items=[FunctionResultContent(id=name, name='search', result='rows')])]


def shown(message):
    item = message.items[0]
    kind = {FunctionCallContent: 'call ', FunctionResultContent: 'result '}.get(type(item))
    return kind + item.id if kind else message.content


def reduced(name, messages, target):
    reducer = ChatHistoryTruncationReducer(target_count=target)
    for message in messages:
        reducer.add_message(message)
    result = asyncio.run(reducer.reduce())
    print(f'{name}, {len(messages)} messages, target {target}:', ', '.join(map(shown, result.messages)) if result else 'as it was')


task = [said(Role.SYSTEM, 'SYS'), said(Role.USER, 'task')] + [message for number in range(4) for message in call(number)]
talk = [message for number in range(3) for message in (said(Role.USER, f'u{number}'), said(Role.ASSISTANT, f'a{number}'))]
reduced('one task', task, 3)
reduced('one task', task, 6)
reduced('one task', task, 1)
reduced('a talk', [said(Role.SYSTEM, 'SYS')] + talk, 3)
reduced('two system messages', [said(Role.SYSTEM, 'SYS1'), said(Role.SYSTEM, 'SYS2')] + talk, 4)
reduced('a late system message', talk + [said(Role.SYSTEM, 'SYS2')] + talk, 4)
PY
env/bin/python -c "import importlib.metadata as m; print('semantic-kernel', m.version('semantic-kernel'))"
env/bin/python run.py | tee out
diff out - <<'END'
one task, 10 messages, target 3: SYS, call c0, result c0, call c1, result c1, call c2, result c2, call c3, result c3
one task, 10 messages, target 6: SYS, call c0, result c0, call c1, result c1, call c2, result c2, call c3, result c3
one task, 10 messages, target 1: SYS
a talk, 7 messages, target 3: SYS, u2, a2
two system messages, 8 messages, target 4: SYS1, a1, u2, a2
a late system message, 13 messages, target 4: SYS2, a1, u2, a2
END
