#!/usr/bin/env bash
# a2a-sdk 1.3.0 (PyPI), the A2A protocol's own SDK: TaskManager with InMemoryTaskStore, and the helpers for texts.
# Behaviour: an artifact that is streamed in pieces (append) keeps the pieces as parts, and get_artifact_text, which is the helper to read it, puts a line break between them: "Hel", "lo wor" and "ld" are read as three
# lines. The same for get_message_text. A status that arrives after "completed" makes the task a working one again, and the final message moves into the history; an artifact that is sent once more under
# its id without append takes the place of all pieces.
# Seen:   "Hel" + "lo wor" + "ld": three lines / completed, then working: TASK_STATE_WORKING
# Expected by most: "Hello world"; a finished task stays finished, as the protocol says.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check a2a-sdk==1.3.0
cat > run.py <<'PY'
import asyncio
from a2a.helpers import get_artifact_text, get_message_text, new_task_from_user_message, new_text_artifact_update_event, new_text_message, new_text_status_update_event
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore, TaskManager
from a2a.types import Role, TaskState


async def main():
    message = new_text_message('Say hello.', role=Role.ROLE_USER)
    task = new_task_from_user_message(message)
    store, context = InMemoryTaskStore(), ServerCallContext()
    manager = TaskManager(task_id=task.id, context_id=task.context_id, task_store=store, initial_message=message, context=context)
    await manager.process(task)
    where = {'task_id': task.id, 'context_id': task.context_id}

    async def show(when):
        now = await store.get(task.id, context)
        texts = [get_artifact_text(artifact) for artifact in now.artifacts]
        print(f'{when}: {TaskState.Name(now.status.state)}, artifacts {texts}, status {get_message_text(now.status.message)!r}, history {[get_message_text(one) for one in now.history]}')

    for number, piece in enumerate(['Hel', 'lo wor', 'ld']):
        await manager.process(new_text_artifact_update_event(**where, name='answer', artifact_id='a', text=piece, append=number > 0, last_chunk=number == 2))
    await show('streamed')
    print('with delimiter="":', get_artifact_text((await store.get(task.id, context)).artifacts[0], delimiter=''))
    await manager.process(new_text_status_update_event(**where, state=TaskState.TASK_STATE_COMPLETED, text='All done.'))
    await show('completed')
    await manager.process(new_text_status_update_event(**where, state=TaskState.TASK_STATE_WORKING, text='Still at it.'))
    await show('late status')
    await manager.process(new_text_artifact_update_event(**where, name='answer', artifact_id='a', text='!', last_chunk=True))
    await show('late artifact')


asyncio.run(main())
PY
echo "a2a-sdk $(env/bin/python -c "import importlib.metadata as m; print(m.version('a2a-sdk'))")"
env/bin/python run.py | tee out
diff out - <<'END'
streamed: TASK_STATE_SUBMITTED, artifacts ['Hel\nlo wor\nld'], status '', history ['Say hello.']
with delimiter="": Hello world
completed: TASK_STATE_COMPLETED, artifacts ['Hel\nlo wor\nld'], status 'All done.', history ['Say hello.']
late status: TASK_STATE_WORKING, artifacts ['Hel\nlo wor\nld'], status 'Still at it.', history ['Say hello.', 'All done.']
late artifact: TASK_STATE_WORKING, artifacts ['!'], status 'Still at it.', history ['Say hello.', 'All done.']
END
