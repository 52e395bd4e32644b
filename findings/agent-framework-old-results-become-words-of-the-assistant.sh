#!/usr/bin/env bash
# agent-framework-core 1.23.0 (PyPI, Microsoft's Agent Framework), ToolResultCompactionStrategy, which collapses older calls of tools and is the first
# step of its compaction by context window too.
# Behaviour: a call and its results become one message of the ASSISTANT, "[Tool results: name: text]", so that what a page or a file said is now what
# the model itself said. The arguments are gone: two files that were read are two texts of "read". Results up to 4,096 characters stay whole; of a
# step with several results the first one takes all the room, and of the others not even the name is left.
# Seen:   assistant "[Tool results: read: text of a]" / three results, the first of 5,000 characters: 4,096 of that one, neither "small" nor "/etc/"
# Expected by most: a short mark in place of each old result, as a result of its call.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-framework-core==1.23.0
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import sys
from agent_framework import Content, Message, ToolResultCompactionStrategy, annotate_message_groups, included_messages

print('agent-framework-core', importlib.metadata.version('agent-framework-core'), file=sys.stderr)


def step(*results):
    calls = [Content.from_function_call(call_id=path, name='read', arguments={'path': path}) for path, _ in results]
    return [Message('assistant', calls), *(Message('tool', [Content.from_function_result(call_id=path, result=text)]) for path, text in results)]


async def main():
    messages = [
        Message('user', ['the task']),
        *step(('/etc/a', 'text of a')),
        *step(('/etc/b', 'first\n' + 'x' * 5000 + '\nerror: last line'), ('/etc/c', 'small c'), ('/etc/d', 'small d')),
        *step(('/etc/e', 'text of e')),
    ]
    annotate_message_groups(messages)
    await ToolResultCompactionStrategy()(messages)
    for message in included_messages(messages):
        text = message.text or ', '.join(content.type for content in message.contents)
        print(f'{message.role} ({len(text)}): {text[:45]!r} ... {text[-25:]!r} {[word for word in ("/etc/", "small", "error") if word in text]}')


asyncio.run(main())
PY
env/bin/python run.py | tee out
diff out - <<'END'
user (8): 'the task' ... 'the task' []
assistant (31): '[Tool results: read: text of a]' ... 'results: read: text of a]' []
assistant (4096): '[Tool results: read: first\nxxxxxxxxxxxxxxxxxx' ... 'xxxxxxxxx... [truncated]]' []
assistant (13): 'function_call' ... 'function_call' []
tool (15): 'function_result' ... 'function_result' []
END
