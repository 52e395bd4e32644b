#!/usr/bin/env bash
# headroom-ai 0.42.0 (PyPI), compress(messages) as it is, which shortens the results of tools in a history before a model reads it; without a network, so without its optional text model.
# Behaviour: of a diff, the first 20 files are kept and all others are left out. The summary below it counts only what is left: "[20 files changed, +20 -20 lines]", however many there were.
# There is no word of the others. A diff of 21 or 25 files does not even get the line with a hash for the original: only that summary stands there. Hunks that are left out of one file are counted.
# Seen:   21 and 25 files: "20 files changed, +20 -20 lines", no hash / 120 files: the same summary, and "961 lines compressed to 161" / 30 hunks in a file: "20 hunks omitted", +30 -30
# Expected by most: the totals of the diff, as they are for hunks, and how many files were left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir HF_HUB_OFFLINE=1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check headroom-ai==0.42.0
cat > run.py <<'PY'
import logging
import re

from headroom import compress

logging.disable(logging.CRITICAL)


def patch(file, hunks):
    head = f'diff --git a/f{file}.py b/f{file}.py\n--- a/f{file}.py\n+++ b/f{file}.py\n'
    return head + ''.join(f'@@ -{hunk * 20 + 1},3 +{hunk * 20 + 1},3 @@\n a\n-old {file} {hunk}\n+new {file} {hunk}\n c\n' for hunk in range(hunks))


def shown(name, text):
    call = {'id': 'c1', 'type': 'function', 'function': {'name': 'git_diff', 'arguments': '{}'}}
    messages = [{'role': 'user', 'content': 'How many files does the branch change?'}, {'role': 'assistant', 'content': None, 'tool_calls': [call]},
                {'role': 'tool', 'tool_call_id': 'c1', 'content': text}]
    result = compress(messages, model='gpt-4o').messages[-1]['content']
    notes = [re.sub('hash=[0-9a-f]+', 'hash', line) for line in result.split('\n') if line.startswith('[')]
    print(f'{name}: {result.count("diff --git")} files and {result.count(chr(10) + "@@")} hunks are shown.', *notes)


for files in (20, 21, 25, 120):
    shown(f'{files} files', ''.join(patch(file, 1) for file in range(files)))
shown('1 file with 30 hunks', patch(0, 30))
PY
env/bin/python -c "import importlib.metadata as m; print('headroom-ai', m.version('headroom-ai'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
20 files: 20 files and 20 hunks are shown.
21 files: 20 files and 20 hunks are shown. [20 files changed, +20 -20 lines]
25 files: 20 files and 20 hunks are shown. [20 files changed, +20 -20 lines]
120 files: 20 files and 20 hunks are shown. [20 files changed, +20 -20 lines] [961 lines compressed to 161. Retrieve full diff: hash]
1 file with 30 hunks: 1 files and 10 hunks are shown. [1 files changed, +30 -30 lines, 20 hunks omitted] [154 lines compressed to 55. Retrieve full diff: hash]
END
