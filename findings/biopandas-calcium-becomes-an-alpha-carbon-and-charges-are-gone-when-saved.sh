#!/usr/bin/env bash
# biopandas 0.5.2 (PyPI) against gemmi 0.7.5 (PyPI): a PDB file is read and saved; nothing is changed.
# Behaviour: in this format the name of an atom says its element by its place: "CA" from column 13 on is calcium, " CA" from column 14 on is an alpha carbon.
# On saving, all names of two letters move to column 14, so each calcium is named as an alpha carbon and mercury as a hydrogen
# is. The charge of an atom (2+, 1-) is "not a number" in the table and blank when saved. Only the element's column still tells.
# Seen:   "CA  " becomes " CA ", charge nan, no charge in the saved file
# Expected by most: the same lines as were read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check biopandas==0.5.2 gemmi==0.7.5
cat > run.py <<'PY'
import gemmi
from biopandas.pdb import PandasPdb

lines = [
    'ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00 10.00           C  ',
    'ATOM      2  OD2 ASP A   2       2.000   2.000   3.000  1.00 10.00           O1-',
    'ATOM      3 HG11 VAL A   3       3.000   2.000   3.000  1.00 10.00           H  ',
    'HETATM    4 CA    CA A 301      10.000  10.000  10.000  1.00 10.00          CA2+',
    'HETATM    5 HG    HG A 302      20.000  10.000  10.000  1.00 10.00          HG2+',
    'HETATM    6 ZN    ZN A 303      30.000  10.000  10.000  1.00 10.00          ZN2+',
]
open('in.pdb', 'w').write('\n'.join(lines) + '\nEND\n')
table = PandasPdb().read_pdb('in.pdb')
print('charges:', [str(one) for kind in ['ATOM', 'HETATM'] for one in table.df[kind].charge])
table.to_pdb('out.pdb')
gemmi.read_pdb('in.pdb').write_pdb('gemmi.pdb')
kept = lambda name: [one for one in open(name).read().split('\n') if one[:6] in ('ATOM  ', 'HETATM')]
for old, new, other in zip(lines, kept('out.pdb'), kept('gemmi.pdb')):
    show = lambda one: repr(one[12:16]) + ' ' + repr(one[76:80])
    print(f'{show(old)}: biopandas {show(new)}, gemmi {show(other)}')
PY
env/bin/pip list 2> /dev/null | grep -iE '^(biopandas|gemmi)'
env/bin/python -W ignore run.py | tee out
diff out - <<'END'
charges: ['nan', 'nan', 'nan', 'nan', 'nan', 'nan']
' CA ' ' C  ': biopandas ' CA ' ' C  ', gemmi ' CA ' ' C  '
' OD2' ' O1-': biopandas ' OD2' ' O  ', gemmi ' OD2' ' O1-'
'HG11' ' H  ': biopandas 'HG11' ' H  ', gemmi 'HG11' ' H  '
'CA  ' 'CA2+': biopandas ' CA ' 'CA  ', gemmi 'CA  ' 'CA2+'
'HG  ' 'HG2+': biopandas ' HG ' 'HG  ', gemmi 'HG  ' 'HG2+'
'ZN  ' 'ZN2+': biopandas ' ZN ' 'ZN  ', gemmi 'ZN  ' 'ZN2+'
END
