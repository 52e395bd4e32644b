#!/usr/bin/env bash
# unidiff 1.0.1 (PyPI), the reader of diffs in Python.
# Behaviour: the diff of a merge, as `git show` and `git diff` write it (diff --cc, hunks between @@@), is a file without hunks: nothing added,
# nothing removed, no error. A file that was copied counts as renamed, as if the first were gone. A changed mode alone is a modified file with no
# changes, and nothing says what became of it. A name with a letter beyond ASCII keeps git's quotes and its octal notation, in `path` too.
# Seen:   merge: x, added 0, removed 0, hunks 0 / copy from x to y: is_rename True / "b/\303\251.c": path "\303\251.c" in quotes
# Expected by most: the lines of the merge or an error, and a copy that is none of a rename.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check unidiff==1.0.1
cat > run.py <<'PY'
from unidiff import PatchSet

merge = 'diff --cc x\nindex 1111111,2222222..3333333\n--- a/x\n+++ b/x\n@@@ -1,2 -1,2 +1,2 @@@\n- a\n -b\n++c\n  d\n'
copy = 'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n'
rename = copy.replace('copy', 'rename')
quoted = 'diff --git "a/\\303\\251.c" "b/\\303\\251.c"\n--- "a/\\303\\251.c"\n+++ "b/\\303\\251.c"\n@@ -1 +1 @@\n-x\n+y\n'
mode = 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n'
for name, text in {'merge': merge, 'copy': copy, 'rename': rename, 'quoted': quoted, 'mode': mode}.items():
    for file in PatchSet(text):
        print(f'{name}: {file.path} added {file.added} removed {file.removed} hunks {len(file)}', end=' ')
        print(f'modified {file.is_modified_file} renamed {file.is_rename}')
PY
env/bin/python -c "import importlib.metadata as m; print('unidiff', m.version('unidiff'))"
env/bin/python run.py | tee out
diff out - <<'END'
merge: x added 0 removed 0 hunks 0 modified True renamed False
copy: y added 0 removed 0 hunks 0 modified True renamed True
rename: y added 0 removed 0 hunks 0 modified True renamed True
quoted: "\303\251.c" added 1 removed 1 hunks 1 modified True renamed False
mode: x added 0 removed 0 hunks 0 modified True renamed False
END
