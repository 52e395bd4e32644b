#!/usr/bin/env bash
# patch-ng 1.19.1 (PyPI), applies unified diffs in Python, as package managers and agents use it.
# Behaviour: where the second file of a patch does not fit, apply() answers False, but the first file is changed all the same and stays so. A patch of a last
# line without a line break writes one, though patch and file say that there is none. A hunk one line further down is not looked for: the answer
# is False, where git moves it. A patch that is in already is said to be applied: True.
# Seen:   False, first file new / "a\nB\n" instead of "a\nB" / moved by a line: False / applied before: True
# Expected by most: all files or none; no line break; moved hunks found.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check patch-ng==1.19.1
cat > run.py <<'PY'
import importlib.metadata
import logging
import pathlib
import subprocess
import patch_ng

print('patch-ng', importlib.metadata.version('patch-ng'))
logging.getLogger('patch_ng').setLevel(logging.CRITICAL)

def show(name, patch, **files):
    for way in ('patch-ng', 'git'):
        folder = pathlib.Path(name.replace(' ', '-') + '-' + way)
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text)
        if way == 'git':
            (folder / 'p').write_text(patch)
            subprocess.run(['git', 'init', '--quiet'], cwd=folder, check=True)
            done = subprocess.run(['git', 'apply', 'p'], cwd=folder, capture_output=True).returncode == 0
        else:
            done = patch_ng.fromstring(patch.encode()).apply(1, str(folder))
        print(f'{name}, {way}: {done}', {file: (folder / file).read_text() for file in files})

part = '--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-old\n+new\n'
show('two files', part.format('one') + part.format('two'), one='old\n', two='other\n')
end = '\\ No newline at end of file\n'
show('no last break', '--- a/one\n+++ b/one\n@@ -1,2 +1,2 @@\n a\n-b\n' + end + '+B\n' + end, one='a\nb')
show('a line further down', '--- a/one\n+++ b/one\n@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n', one='first\nsecond\na\nb\nc\nd\n')
show('applied before', part.format('one'), one='new\n')
PY
env/bin/python run.py | tee out
diff out - <<'END'
patch-ng 1.19.1
two files, patch-ng: False {'one': 'new\n', 'two': 'other\n'}
two files, git: False {'one': 'old\n', 'two': 'other\n'}
no last break, patch-ng: True {'one': 'a\nB\n'}
no last break, git: True {'one': 'a\nB'}
a line further down, patch-ng: False {'one': 'first\nsecond\na\nb\nc\nd\n'}
a line further down, git: True {'one': 'first\nsecond\na\nB\nc\nd\n'}
applied before, patch-ng: True {'one': 'new\n'}
applied before, git: False {'one': 'new\n'}
END
