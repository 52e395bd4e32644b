#!/usr/bin/env bash
# pathspec 1.1.1 (PyPI), GitIgnoreSpec, with which formatters, packers and agents' tools in Python leave out what .gitignore names, against git itself.
# Behaviour: in git nothing comes back from a folder that is left out; in pathspec it does. So with "dir/" and "!dir/.gitkeep" the file is left out by git and
# taken by pathspec, and the same for "docs/**" with "!docs/**/*.md" in deeper folders. A pattern with a class such as [[:digit:]] matches nothing there,
# and "docs/**/", which names folders alone, matches a file directly in docs.
# Seen:   dir/, !dir/.gitkeep: git out, pathspec in / data[[:digit:]].csv: out, in / docs/**/ and docs/a.md: in, out / build/, *.log: the same
# Expected by most: what is called GitIgnoreSpec ignores what git ignores.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pathspec==1.1.1
cat > run.py <<'PY'
import subprocess
import warnings
import pathspec

warnings.simplefilter('ignore')
tried = [
    ('dir/\n!dir/.gitkeep', 'dir/.gitkeep'), ('docs/**\n!docs/**/*.md', 'docs/x/a.md'), ('data[[:digit:]].csv', 'data1.csv'), ('docs/**/', 'docs/a.md'),
    ('dir/*\n!dir/.gitkeep', 'dir/.gitkeep'), ('build/', 'src/build/x'), ('*.log', 'src/x.log'),
]
subprocess.run(['git', 'init', '-q', '.'], check=True)
for patterns, path in tried:
    with open('.gitignore', 'w') as file:
        file.write(patterns + '\n')
    git = subprocess.run(['git', 'check-ignore', '-q', '--no-index', path]).returncode == 0
    python = pathspec.GitIgnoreSpec.from_lines(patterns.split('\n')).match_file(path)
    print(f'{patterns!r} {path}: git {"out" if git else "in"}, pathspec {"out" if python else "in"}')
PY
env/bin/python -c "import importlib.metadata as m; print('pathspec', m.version('pathspec'))"
env/bin/python run.py | tee out
diff out - <<'END'
'dir/\n!dir/.gitkeep' dir/.gitkeep: git out, pathspec in
'docs/**\n!docs/**/*.md' docs/x/a.md: git out, pathspec in
'data[[:digit:]].csv' data1.csv: git out, pathspec in
'docs/**/' docs/a.md: git in, pathspec out
'dir/*\n!dir/.gitkeep' dir/.gitkeep: git in, pathspec in
'build/' src/build/x: git out, pathspec out
'*.log' src/x.log: git out, pathspec out
END
