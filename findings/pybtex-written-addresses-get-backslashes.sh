#!/usr/bin/env bash
# pybtex 0.26.1 (PyPI), a bibliography read with parse_string() and written with to_string('bibtex').
# Behaviour: the writer puts backslashes before _, & and % in every field, links and DOIs too, and the reader does not take them away. So what is read
# after one round is another address. A text that was escaped already (100\% of R\&D) gets one more backslash each round. Mathematics is
# changed as well. Nothing is said. The other writer, of YAML, leaves all as it is.
# Seen:   https://example.com/a_b?x=1&y=50%25 becomes https://example.com/a\_b?x=1\&y=50\%25 / 10.1000/x_y becomes 10.1000/x\_y
# Expected by most: a file that is read and written has the same values.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pybtex==0.26.1
cat > run.py <<'PY'
import importlib.metadata
import sys
from pybtex.database import parse_string

print('pybtex', importlib.metadata.version('pybtex'), file=sys.stderr)
text = r'''@misc{a,
  title = {100\% of R\&D}, note = {$x_1$ and more},
  url = {https://example.com/a_b?x=1&y=50%25}, doi = {10.1000/x_y}
}'''
first = parse_string(text, 'bibtex')
by_bibtex = parse_string(first.to_string('bibtex'), 'bibtex')
again = parse_string(by_bibtex.to_string('bibtex'), 'bibtex')
by_yaml = parse_string(first.to_string('yaml'), 'yaml')
for name, data in [('as read', first), ('bibtex once', by_bibtex), ('bibtex twice', again), ('yaml once', by_yaml)]:
    print(name)
    for field, value in data.entries['a'].fields.items():
        print(f'    {field}: {value}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
as read
    title: 100\% of R\&D
    note: $x_1$ and more
    url: https://example.com/a_b?x=1&y=50%25
    doi: 10.1000/x_y
bibtex once
    title: 100\\% of R\\&D
    note: $x\_1$ and more
    url: https://example.com/a\_b?x=1\&y=50\%25
    doi: 10.1000/x\_y
bibtex twice
    title: 100\\\% of R\\\&D
    note: $x\\_1$ and more
    url: https://example.com/a\\_b?x=1\\&y=50\\%25
    doi: 10.1000/x\\_y
yaml once
    title: 100\% of R\&D
    note: $x_1$ and more
    url: https://example.com/a_b?x=1&y=50%25
    doi: 10.1000/x_y
END
