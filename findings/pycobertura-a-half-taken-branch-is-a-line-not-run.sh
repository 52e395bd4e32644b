#!/usr/bin/env bash
# pycobertura 4.1.0 (PyPI), which reads coverage reports in Cobertura's format and says how many lines a change left out.
# Behaviour: a line that ran but took only one of its two branches counts as a line that was missed, in the numbers of hits and misses. The rates are copied
# from the file, which counts it as run, so that rate and numbers of one report disagree. A line that stands below two classes of one file, as generic or
# nested code gives it, is counted twice, once as hit and once as missed.
# Seen:   5 lines of which 4 ran, one of them half: rate 0.8, hits 3, misses 2 / one line below two classes: 2 statements, 1 hit, 1 miss
# Expected by most: 4 hits and 1 miss, as the rate says; one line is one statement.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pycobertura==4.1.0
cat > run.py <<'PY'
import importlib.metadata
import pathlib
from pycobertura import Cobertura

print('pycobertura', importlib.metadata.version('pycobertura'))


def report(name, rate, *classes):
    parts = ''.join(f'<class name="C{n}" filename="{name}.py" line-rate="{rate}" branch-rate="0.5"><methods/><lines>{lines}</lines></class>'
                    for n, lines in enumerate(classes))
    pathlib.Path(f'{name}.py').write_text('pass\n' * 9)
    pathlib.Path(f'{name}.xml').write_text(
        f'<?xml version="1.0"?><coverage line-rate="{rate}" branch-rate="0.5" version="1" timestamp="1"><sources><source>.</source></sources>'
        f'<packages><package name="p" line-rate="{rate}" branch-rate="0.5"><classes>{parts}</classes></package></packages></coverage>')
    read = Cobertura(f'{name}.xml')
    print(f'{name}: rate {read.line_rate()}, statements {read.total_statements()}, hits {read.total_hits()}, misses {read.total_misses()},'
          f' rate of the file {read.line_rate(f"{name}.py"):.2f}, lines {read.missed_lines(f"{name}.py")}')


line = '<line number="{}" hits="{}"/>'.format
half = '<line number="2" hits="7" branch="true" condition-coverage="50% (1/2)"/>'
report('plain', 0.8, line(1, 1) + line(2, 7) + line(3, 1) + line(4, 1) + line(5, 0))
report('half', 0.8, line(1, 1) + half + line(3, 1) + line(4, 1) + line(5, 0))
report('twice', 1.0, line(1, 1), line(1, 0))
PY
env/bin/python run.py | tee out
diff out - <<'END'
pycobertura 4.1.0
plain: rate 0.8, statements 5, hits 4, misses 1, rate of the file 0.80, lines [(5, 'miss')]
half: rate 0.8, statements 5, hits 3, misses 2, rate of the file 0.80, lines [(2, 'partial'), (5, 'miss')]
twice: rate 1.0, statements 2, hits 1, misses 1, rate of the file 0.50, lines [(1, 'miss')]
END
