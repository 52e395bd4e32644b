#!/usr/bin/env bash
# trimtok 4.2.5 (PyPI), which shortens the output of commands for agents: compress_terminal.
# Behaviour: lines of a log that begin alike are one line with "[repeated 299x]", whatever stands behind the time: other numbers, other words, another level. Of 300 lines of which one warns of a full disk and one tells of a double booking, the first is shown as if it had been
# said 300 times. The README promises that nothing of weight is lost; the whole text can be fetched by its number, but nothing says that there is a reason to. A line with ERROR is gone like the others.
# Seen:   300 lines, WARN, ERROR or double booking among them: first line, "[repeated 299x]"
# Expected by most: lines that are not alike are not called repeated; a warning and an error stay.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check trimtok==4.2.5
cat > run.py <<'PY'
import os
import re

os.environ['HOME'] = os.getcwd()
from trimtok import compress_terminal


def show(what, *inside):
    lines = [f'2026-01-01 10:{number // 60:02d}:{number % 60:02d} INFO request {number} served in {number % 7} ms' for number in range(300)]
    for place, line in zip((100, 200), inside):
        lines[place] = lines[place][:20] + line
    text = compress_terminal('tail -n 300 app.log', '\n'.join(lines))[0]
    print(what + ':')
    for line in re.sub('#[0-9a-f]{6,}', '#number', text).split('\n'):
        if not line.startswith('[tt:legend]'):
            print('  ' + line)


show('a warning and a double booking', 'WARN disk 91% full', 'INFO payment 4711 of 99.50 EUR was booked twice')
show('an error', 'ERROR disk full')
PY
echo "trimtok $(env/bin/python -c "import importlib.metadata as m; print(m.version('trimtok'))")"
env/bin/python run.py | tee out
diff out - <<'END'
a warning and a double booking:
  [tt:terminal kind=search hidden=299 #number]
  2026-01-01 10:00:00 INFO request 0 served in 0 ms
  [repeated 299x]
an error:
  [tt:terminal kind=search hidden=299 #number]
  2026-01-01 10:00:00 INFO request 0 served in 0 ms
  [repeated 299x]
END
