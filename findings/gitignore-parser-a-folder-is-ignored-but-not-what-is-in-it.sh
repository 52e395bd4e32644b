#!/usr/bin/env bash
# gitignore_parser 0.1.13 (PyPI), which many tools that read a repository for a model leave files out with; git says what is right.
# Behaviour: a folder that is named without a slash at its end (/build, **/tmp) is ignored, and the files in it are not: a tool that asks for each file
# reads them all. The other way, a rule for folders alone (foo/) takes a plain file of that name. For a tool that stops at an ignored folder only the second
# is seen. Rules with a slash at their end or with a star behind them are as in git.
# Seen:   /build: build/app.js is not ignored / **/tmp: a/tmp/big.bin is not ignored / cache/: the file src/cache is ignored
# Expected by most: git's answer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check gitignore_parser==0.1.13
mkdir repo; cd repo; git init --quiet .
printf '%s\n' /build '**/tmp' cache/ node_modules/ '*.log' '!keep.log' > .gitignore
mkdir -p build/js a/tmp src node_modules/x cache
touch build/app.js build/js/b.js a/tmp/big.bin src/cache cache/c node_modules/x/i.js a/keep.log a/b.log
cat > ../run.py <<'PY'
import importlib.metadata
import os
import subprocess
import sys
from gitignore_parser import parse_gitignore

print('gitignore_parser', importlib.metadata.version('gitignore_parser'), file=sys.stderr)
ignored = parse_gitignore('.gitignore')
for name in ['build', 'build/app.js', 'build/js/b.js', 'a/tmp', 'a/tmp/big.bin', 'src/cache', 'cache/c', 'node_modules/x/i.js', 'a/b.log', 'a/keep.log']:
    git = subprocess.run(['git', 'check-ignore', '--quiet', name]).returncode == 0
    ours = ignored(os.path.abspath(name))
    print(f'{name}: git {"ignored" if git else "kept"}, gitignore_parser {"ignored" if ours else "kept"}')
PY
../env/bin/python ../run.py | tee ../out
cd ..
diff out - <<'END'
build: git ignored, gitignore_parser ignored
build/app.js: git ignored, gitignore_parser kept
build/js/b.js: git ignored, gitignore_parser kept
a/tmp: git ignored, gitignore_parser ignored
a/tmp/big.bin: git ignored, gitignore_parser kept
src/cache: git kept, gitignore_parser ignored
cache/c: git ignored, gitignore_parser ignored
node_modules/x/i.js: git ignored, gitignore_parser ignored
a/b.log: git ignored, gitignore_parser ignored
a/keep.log: git kept, gitignore_parser kept
END
