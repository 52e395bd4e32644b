#!/usr/bin/env bash
# strands-agents-tools 0.8.10 with strands-agents 1.62.0 (PyPI): the tool editor of Strands agents (deprecated since, but still what tutorials use), called as an agent calls it.
# Behaviour: the editor keeps what it once read of a file, and works on that. When something else changes the file afterwards (a formatter, git, a shell command of the same agent), "view"
# shows the old text, and the next edit writes the old text back with that edit in it: the other change is gone, and the answer is success. Only "create" and "undo_edit" set the kept text anew.
# "insert" says that it puts the text AFTER the given line. For a number it does. For a line that is given by its words, the text goes before it.
# Seen:   file is price = 2 by now, view: price = 1 / str_replace of another line: price = 1 is back / insert at 2: behind line 2, at "beta": before it
# Expected by most: the file as it is on disk, or an error that it has changed; behind the line both times.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
export HOME=$dir BYPASS_TOOL_CONSENT=true STRANDS_NON_INTERACTIVE=true
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check strands-agents-tools==0.8.10 strands-agents==1.62.0
cat > run.py <<'PY'
import contextlib
import io
import pathlib
import warnings

warnings.filterwarnings('ignore')
from strands_tools.editor import editor


def edit(file, command, **given):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        answer = editor(command=command, path=str(file.absolute()), **given)
    return answer['status'] + ': ' + repr(answer['content'][0]['text'].split('Content: ')[-1].split(chr(10) + 'File: ')[0])


file = pathlib.Path('a.py')
file.write_text('price = 1\nname = "a"\n')
print('view', edit(file, 'view'))
file.write_text('price = 2\nname = "a"\n')
print('view after another tool wrote price = 2', edit(file, 'view'))
print('str_replace', edit(file, 'str_replace', old_str='"a"', new_str='"b"'))
print('the file is', repr(file.read_text()))
for number, place in enumerate((2, 'beta')):
    file = pathlib.Path(f'{number}.txt')
    file.write_text('alpha\nbeta\ngamma\n')
    print('insert at', repr(place), edit(file, 'insert', insert_line=place, new_str='NEW').split(':')[0], file.read_text().split())
PY
env/bin/python -c "import importlib.metadata as m; print('strands-agents-tools', m.version('strands-agents-tools'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
view success: 'price = 1\nname = "a"\n'
view after another tool wrote price = 2 success: 'price = 1\nname = "a"\n'
str_replace success: 'Text replacement complete and details displayed in console.'
the file is 'price = 1\nname = "b"\n'
insert at 2 success ['alpha', 'beta', 'NEW', 'gamma']
insert at 'beta' success ['alpha', 'NEW', 'beta', 'gamma']
END
