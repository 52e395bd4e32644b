#!/usr/bin/env bash
# whatthepatch 1.0.7 (PyPI), which reads and applies patches for agents that edit code.
# Behaviour: a patch of two files as `diff -u` or difflib writes it, without lines that say "diff --git", is one patch of one file: the header of
# the second is taken for a removed line "-- a/y" and an added one "++ b/y" of the first, and the changes of the second follow with numbers that
# start again. The signature of git format-patch ("-- ") is one more removed line. The name of a file is x without a line "diff --git" and b/x
# with one.
# Seen:   two files: 1 patch of x with 6 changes / the same with "diff --git": 2 patches / format-patch: a third change, "- " removed
# Expected by most: two patches, as patch(1), git apply and the reader unidiff see them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check whatthepatch==1.0.7 unidiff==1.0.1
cat > run.py <<'PY'
import unidiff
import whatthepatch

two = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n'
git = two.replace('--- a/x', 'diff --git a/x b/x\n--- a/x').replace('--- a/y', 'diff --git a/y b/y\n--- a/y')
mail = 'From 0 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.40\n\n'
space = 'diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-a\n+b\n'
for name, text in {'two files': two, 'with diff --git': git, 'format-patch': mail, 'a space': space}.items():
    for patch in whatthepatch.parse_patch(text):
        print(name + ':', repr(patch.header.new_path), [(change.old, change.new, change.line) for change in patch.changes])
    print(name + ', unidiff:', [(file.path, file.removed, file.added) for file in unidiff.PatchSet(text)])
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('whatthepatch', 'unidiff')))"
env/bin/python run.py | tee out
diff out - <<'END'
two files: 'x' [(1, None, 'a'), (None, 1, 'b'), (2, None, '-- a/y'), (None, 2, '++ b/y'), (1, None, 'c'), (None, 1, 'd')]
two files, unidiff: [('x', 1, 1), ('y', 1, 1)]
with diff --git: 'b/x' [(1, None, 'a'), (None, 1, 'b')]
with diff --git: 'b/y' [(1, None, 'c'), (None, 1, 'd')]
with diff --git, unidiff: [('x', 1, 1), ('y', 1, 1)]
format-patch: 'b/x' [(1, None, 'a'), (None, 1, 'b'), (2, None, '- ')]
format-patch, unidiff: [('x', 1, 1)]
a space: 'b/a b' [(1, None, 'a'), (None, 1, 'b')]
a space, unidiff: [('a b', 1, 1)]
END
