#!/usr/bin/env bash
# purepatch 0.1.1 (PyPI), apply_edit, its ladder of exact, trailing blanks and moved indentation.
# Behaviour: a block that a model wrote with four blanks is found in a file with tabs. Put there, each line gets the outer tab of the file and keeps its own blanks behind it.
# The lines of the file that stay below have two tabs: Python refuses the file (TabError). apply_edit raises no error.
# Lines of a text in triple quotes are moved as well: the text gets four blanks at its lines. A search text that is a part of a word is replaced in the word.
# Seen:   line 3 becomes tab + 4 blanks + z(), line 4 stays tab tab w(): TabError / text '\nrow\n' becomes '\n    row\n    ' / timeout = 3 -> 5 in "timeout = 30": timeout = 50
# Expected by most: the block in tabs, or an error; the text of a value as it was written.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check purepatch==0.1.1
cat > run.py <<'PY'
import importlib.metadata
import purepatch

print('purepatch', importlib.metadata.version('purepatch'))
source = 'def f(x, y, z, w):\n\tif x:\n\t\ty()\n\t\tw()\n'
changed = purepatch.apply_edit(source, 'if x:\n    y()\n', 'if x:\n    z()\n')
for line in changed.splitlines():
    print('  ', repr(line))
try:
    compile(changed, 'f', 'exec')
    print('compiles')
except SyntaxError as error:
    print(type(error).__name__, 'in line', error.lineno)
same = purepatch.apply_edit(source, '\tif x:\n\t\ty()\n', '\tif x:\n\t\tz()\n')
compile(same, 'f', 'exec')
print('with tabs it compiles:', repr(same.splitlines()[2]))
source = 'class A:\n    def head(self):\n        return ""\n'
changed = purepatch.apply_edit(source, 'def head(self):\n    return ""\n', 'def head(self):\n    return """\nrow\n"""\n')
exec(changed)
print('text:', repr(A().head()))
print('in a word:', repr(purepatch.apply_edit('timeout = 30\n', 'timeout = 3', 'timeout = 5')))
PY
env/bin/python run.py | tee out
diff out - <<'END'
purepatch 0.1.1
   'def f(x, y, z, w):'
   '\tif x:'
   '\t    z()'
   '\t\tw()'
TabError in line 4
with tabs it compiles: '\t\tz()'
text: '\n    row\n    '
in a word: 'timeout = 50\n'
END
