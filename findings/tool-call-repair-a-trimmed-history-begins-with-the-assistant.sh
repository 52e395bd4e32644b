#!/usr/bin/env bash
# tool-call-repair 0.1.0 (PyPI), which trims the history of an agent without parting calls and results: safe_trim and validate.
# Behaviour: the cut goes back to the call, never to the user's message before it. So the trimmed history of an agent at work begins with the assistant, and the task, which is the only thing that the user said, is not in it. validate finds nothing
# wrong with it; a history for Anthropic is meant to begin with the user. For OpenAI the system message is kept and the task is dropped in the same way. "keep" of 5 of 7 messages is enough for that.
# Seen:   Anthropic, keep=3: assistant tool_use, user tool_result, assistant text; violations none
# Expected by most: a legal beginning is a user's message; the task stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tool-call-repair==0.1.0
cat > run.py <<'PY'
from toolrepair import repair, safe_trim, validate


def name(message):
    content = message['content']
    return message['role'] + ' ' + (content[0]['type'] if isinstance(content, list) else content or 'call')


anthropic = [{'role': 'user', 'content': 'TASK'}]
openai = [{'role': 'system', 'content': 'SYSTEM'}, {'role': 'user', 'content': 'TASK'}]
for number in ('1', '2'):
    anthropic += [{'role': 'assistant', 'content': [{'type': 'tool_use', 'id': number, 'name': 'read', 'input': {}}]}, {'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': number, 'content': 'text'}]}]
    openai += [{'role': 'assistant', 'content': None, 'tool_calls': [{'id': number, 'type': 'function', 'function': {'name': 'read', 'arguments': '{}'}}]}, {'role': 'tool', 'tool_call_id': number, 'content': 'text'}]
for history in (anthropic, openai):
    history.append({'role': 'assistant', 'content': 'so far'})
for form, history, keep in (('anthropic', anthropic, 1), ('anthropic', anthropic, 3), ('anthropic', anthropic, 5), ('openai', openai, 3), ('openai', openai, 5)):
    kept = safe_trim(history, keep=keep, format=form)
    print(f'{form}, keep={keep}:', '; '.join(map(name, kept)), '| violations', validate(kept, format=form), '| repaired alike', repair(kept, format=form) == kept)
PY
echo "tool-call-repair $(env/bin/python -c "import importlib.metadata as m; print(m.version('tool-call-repair'))")"
env/bin/python run.py | tee out
diff out - <<'END'
anthropic, keep=1: assistant so far | violations [] | repaired alike True
anthropic, keep=3: assistant tool_use; user tool_result; assistant so far | violations [] | repaired alike True
anthropic, keep=5: assistant tool_use; user tool_result; assistant tool_use; user tool_result; assistant so far | violations [] | repaired alike True
openai, keep=3: system SYSTEM; assistant call; tool text; assistant so far | violations [] | repaired alike True
openai, keep=5: system SYSTEM; assistant call; tool text; assistant call; tool text; assistant so far | violations [] | repaired alike True
END
