#!/usr/bin/env bash
# ctxopt 0.5.0 (PyPI), its command summarize on a talk written as "User: ..." and "Assistant: ..." lines, without a model.
# Behaviour: each line that begins with a word and a colon is a turn of a speaker of that name. "Error: disk full" and "Path: /data" within the user's message are turns of Error and Path. --keep-last 2, "the most recent turns",
# then keeps two lines of the last answer, and the rest of the newest message competes with all older ones. In a small budget the error that the user sent is dropped while the first question of the talk stays.
# Seen:   26 turns counted as 31 / 60 tokens: question 0 is there, "Error: disk full on /data" is not
# Expected by most: the last message of the user and the last answer stay whole.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ctxopt==0.5.0
python3 - <<'PY' > talk.txt
for number in range(12):
    print(f'User: question number {number} about the billing module and its many details that go on for a while')
    print(f'Assistant: answer number {number} with a longer explanation of what the billing module does in this case and why')
print('User: the deploy failed, please fix it before noon\nStep: build of the image\nError: disk full on /data\nPath: /data/images/cache')
print('Assistant: I removed the old images\nResult: 40 GB are free\nNext: start the deploy again')
PY
cat > show.py <<'PY'
from ctxopt.conversation import parse_conversation

turns = parse_conversation(open('talk.txt').read())
print('turns:', len(turns), 'the last seven:', [turn.role for turn in turns[-7:]])
PY
echo "ctxopt $(env/bin/python -c "import importlib.metadata as m; print(m.version('ctxopt'))")"
{
  env/bin/python show.py
  COLUMNS=200 env/bin/ctxopt summarize talk.txt --max-tokens 60 2> /dev/null | grep .
  echo "the error is kept: $(env/bin/ctxopt summarize talk.txt --max-tokens 60 2> /dev/null | grep -c 'Error: disk full' || true)"
} | tee out
diff out - <<'END'
turns: 31 the last seven: ['User', 'Step', 'Error', 'Path', 'Assistant', 'Result', 'Next']
User: question number 0 about the billing module and its many details that go on for a while
User: the deploy failed, please fix it before noon
Path: /data/images/cache
Assistant: I removed the old images
Result: 40 GB are free
Next: start the deploy again
the error is kept: 0
END
