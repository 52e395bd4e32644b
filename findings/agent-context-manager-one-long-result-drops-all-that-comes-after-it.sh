#!/usr/bin/env bash
# agent-context-manager 0.1.0 (PyPI), its default SlidingWindowStrategy, "keeps the most recent N messages".
# Behaviour: the last N messages are taken in from the oldest of them on, and the first that does not fit ends it. So one long tool result takes everything behind it along: the answer and the newest question of the user,
# which would fit with ease. The request then ends with the call, or with the task alone. The newest messages are the first to go.
# Seen:   limit 100, a result of 420 letters before "answer" and "next question": system, task, calling
# Expected by most: the newest messages stay, the long old one goes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-context-manager==0.1.0
cat > run.py <<'PY'
from agent_context_manager import ContextManager, SlidingWindowStrategy

before = [('system', 'You help.'), ('user', 'Please do the task.'), ('assistant', 'calling')]
after = [('assistant', 'answer'), ('user', 'next question')]
for name, result in [('short result', 'ok'), ('long result', 'result ' * 60)]:
    for window in (10, 4, 3):
        manager = ContextManager(max_tokens=100, strategy=SlidingWindowStrategy(keep_system=True, keep_recent=window))
        manager.add_messages([{'role': role, 'content': text} for role, text in [*before, ('tool', result), *after]])
        print(f'{name}, window {window}:', [message['content'][:20] for message in manager.get_context()], 'tokens', manager.token_count)
PY
echo "agent-context-manager $(env/bin/python -c "import importlib.metadata as m; print(m.version('agent-context-manager'))")"
env/bin/python run.py 2> /dev/null | tee out
diff out - <<'END'
short result, window 10: ['You help.', 'Please do the task.', 'calling', 'ok', 'answer', 'next question'] tokens 39
short result, window 4: ['You help.', 'Please do the task.', 'calling', 'ok', 'answer', 'next question'] tokens 39
short result, window 3: ['You help.', 'Please do the task.', 'calling', 'ok', 'answer', 'next question'] tokens 39
long result, window 10: ['You help.', 'Please do the task.', 'calling'] tokens 22
long result, window 4: ['You help.', 'Please do the task.', 'calling'] tokens 22
long result, window 3: ['You help.', 'Please do the task.'] tokens 17
END
