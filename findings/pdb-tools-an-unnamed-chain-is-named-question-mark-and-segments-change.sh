#!/usr/bin/env bash
# pdb-tools 2.7.0 (PyPI): pdb_tocif makes mmCIF of a PDB file, pdb_fromcif makes PDB of it again; gemmi 0.7.5 (PyPI) reads both.
# Behaviour: what is empty in the PDB file comes back as a question mark: a chain without a name is the chain "?", and each atom has the charge "?". The segment becomes the name of the chain, so selections by segment (SEGA) find
# nothing. Remarks, TER and the header are gone, and one residue name moves to the left. The middle file is well: the question mark is CIF's word for "not known", which the way back takes for a letter.
# Seen:   chain ' ', segment SEGA: chain '?', segment '?' / charge '  ': '? ' / chain A without segment: segment A
# Expected by most: the same lines of atoms.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pdb-tools==2.7.0 gemmi==0.7.5
cat > in.pdb <<'PDB'
ATOM      1  N   MET A  -1       1.000   2.000   3.000  1.00 10.00           N  
ATOM      2  CA  GLY A  52A     -1.500 -22.250 100.125  1.00 99.99           C  
ATOM      3  N   GLY     9       1.000   1.000   1.000  1.00  0.00      SEGA N1+
HETATM    4 ZN    ZN C 201       2.000   2.000   2.000  1.00 20.00          ZN2+
END
PDB
env/bin/pdb_tocif in.pdb > middle.cif
env/bin/pdb_fromcif middle.cif > out.pdb
cat > run.py <<'PY'
import importlib.metadata
import gemmi

for name in ('pdb-tools', 'gemmi'):
    print(name, importlib.metadata.version(name))
for name in ('in.pdb', 'out.pdb'):
    print(name)
    for line in open(name):
        if line.startswith(('ATOM', 'HETATM')):
            print('  ', line.rstrip('\n').rstrip() + '|', 'chain', repr(line[21]), 'segment', repr(line[72:76]), 'charge', repr(line[78:80]))
    print('   gemmi:', [(chain.name, [(residue.name, residue.segment) for residue in chain]) for chain in gemmi.read_structure(name)[0]])
PY
env/bin/python run.py | tee out
diff out - <<'END'
pdb-tools 2.7.0
gemmi 0.7.5
in.pdb
   ATOM      1  N   MET A  -1       1.000   2.000   3.000  1.00 10.00           N| chain 'A' segment '    ' charge '  '
   ATOM      2  CA  GLY A  52A     -1.500 -22.250 100.125  1.00 99.99           C| chain 'A' segment '    ' charge '  '
   ATOM      3  N   GLY     9       1.000   1.000   1.000  1.00  0.00      SEGA N1+| chain ' ' segment 'SEGA' charge '1+'
   HETATM    4 ZN    ZN C 201       2.000   2.000   2.000  1.00 20.00          ZN2+| chain 'C' segment '    ' charge '2+'
   gemmi: [('A', [('MET', ''), ('GLY', '')]), ('', [('GLY', 'SEGA')]), ('C', [('ZN', '')])]
out.pdb
   ATOM      1  N   MET A  -1       1.000   2.000   3.000  1.00 10.00      A   N ?| chain 'A' segment 'A   ' charge '? '
   ATOM      2  CA  GLY A  52A     -1.500 -22.250 100.125  1.00 99.99      A   C ?| chain 'A' segment 'A   ' charge '? '
   ATOM      3  N   GLY ?   9       1.000   1.000   1.000  1.00  0.00      ?   N 1+| chain '?' segment '?   ' charge '1+'
   HETATM    4 ZN   ZN  C 201       2.000   2.000   2.000  1.00 20.00      C   ZN2+| chain 'C' segment 'C   ' charge '2+'
   gemmi: [('A', [('MET', 'A'), ('GLY', 'A')]), ('?', [('GLY', '?')]), ('C', [('ZN', 'C')])]
END
