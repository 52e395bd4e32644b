#!/usr/bin/env bash
# contextclip 0.0.3 (PyPI), ContextClipper with its default summarizer.
# Behaviour: recover first deletes the older half of all that is before the tail, whatever it is. In a short history this half begins with the system prompt and the task of the user. They are gone, and the action is "drained".
# Where that is not enough, the other half is summarized, and the action is "summarized". The deleted half is in no summary: the count of "compacted" messages and the text leave it out.
# Seen:   drained: begins with a tool result / summarized: "compacted 3 earlier message(s)" of 6; neither the rule nor the task is anywhere
# Expected by most: system prompt and task stay, or are at least in the summary.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check contextclip==0.0.3
cat > run.py <<'PY'
import asyncio
from contextclip import ContextClipper, Message

history = [
    Message('system', 'RULE: never delete files.'), Message('user', 'TASK: tidy the folder, keep a.txt. ' * 12), Message('assistant', 'first call ' * 10),
    Message('tool', 'first result ' * 20), Message('assistant', 'second call ' * 10), Message('tool', 'second result ' * 20), Message('assistant', 'half done'), Message('user', 'go on'),
]
for budget in (300, 150):
    clipper = ContextClipper(budget_tokens=budget, tail_messages=2)
    state = clipper.check(history).action
    result = asyncio.run(clipper.recover(history))
    text = ' '.join(message.content for message in result.messages)
    print(f'budget {budget}:', state, '->', result.action)
    for message in result.messages:
        print('  ', message.role, '|', message.content[:50].replace('\n', ' / '))
    print('   rule kept:', 'RULE' in text, 'task kept:', 'TASK' in text, 'first call kept:', 'first call' in text)
PY
echo "contextclip $(env/bin/python -c "import importlib.metadata as m; print(m.version('contextclip'))")"
env/bin/python run.py | tee out
diff out - <<'END'
budget 300: over_hard_limit -> drained
   tool | first result first result first result first resul
   assistant | second call second call second call second call se
   tool | second result second result second result second r
   assistant | half done
   user | go on
   rule kept: False task kept: False first call kept: False
budget 150: over_hard_limit -> summarized
   system | [compacted 3 earlier message(s)] / [tool] first resu
   assistant | half done
   user | go on
   rule kept: False task kept: False first call kept: False
END
