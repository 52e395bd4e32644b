#!/usr/bin/env bash
# parse-pdb 1.0.0 (npm) against biopandas 0.5.2 (PyPI): coordinates of proteins in the PDB format.
# Behaviour: the list of residues has one entry for each name in SEQRES, with "its" atoms. The number of the SEQRES line (13 names stand in one) is taken
# for the number of the residue: all 13 residues of the first line have the atoms of residue 1, those of the second line the atoms of residue 2, and all
# have the same id. The other residues' atoms belong to none. What is no part of the chain (HETATM: ions, drugs, water) is left out of all lists, and the
# atoms of a second model stand behind those of the first without a mark.
# Seen:   GLY 2 has the atoms of ALA 1, GLN 14 those of GLY 2; LYS 2 of chain B those of THR 1 / zinc: not there / 32 atoms of 2 models in one list
# Expected by most: each residue with its own atoms, ions among the atoms, a model by itself or with its number.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts parse-pdb@1.0.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check biopandas==0.5.2
cat > run.cjs <<'JS'
const fs = require('fs');
const parse = require('parse-pdb');
const names = { A: 'ALA GLY SER VAL LEU ILE PRO PHE TYR TRP MET CYS ASN GLN'.split(' '), B: ['THR', 'LYS'] };
const lines = [];
for (const [chain, all] of Object.entries(names)) {
  for (let i = 0; i < all.length; i += 13) {
    lines.push(`SEQRES${String(i / 13 + 1).padStart(4)} ${chain} ${String(all.length).padStart(4)}  ${all.slice(i, i + 13).join(' ')}`.padEnd(80));
  }
}
for (const model of [1, 2]) {
  let serial = 0;
  const atom = (kind, name, residue, chain, number, element) => lines.push(`${kind}${String(++serial).padStart(5)} ${name} ${residue} ${chain}${String(number).padStart(4)}    `
    + `${'1.000'.padStart(8)}${'2.000'.padStart(8)}${'3.000'.padStart(8)}  1.00  0.00          ${element}  `);
  lines.push(`MODEL     ${String(model).padStart(4)}`.padEnd(80));
  for (const [chain, all] of Object.entries(names)) all.forEach((name, i) => atom('ATOM  ', ' CA ', name, chain, i + 1, ' C'));
  atom('HETATM', 'ZN  ', ' ZN', 'A', 101, 'ZN');
  lines.push('ENDMDL'.padEnd(80));
}
fs.writeFileSync('small.pdb', lines.join('\n') + '\nEND\n');
const { atoms, residues } = parse(fs.readFileSync('small.pdb', 'utf8'));
for (const { chainID, resName, id, atoms: own } of residues) {
  if ('ALA GLY ASN GLN THR LYS'.includes(resName)) console.log(`${chainID} ${resName} (id ${id}) has the atoms of ${own.map((one) => one.resName + one.resSeq).join(' and ')}`);
}
console.log(`parse-pdb: ${atoms.length} atoms, zinc ${atoms.some((one) => one.resName === 'ZN')}`);
JS
cat > run.py <<'PY'
from biopandas.pdb import PandasPdb

model = PandasPdb().read_pdb('small.pdb').get_model(1)
rows = model.df['ATOM']
print(f'biopandas, model 1: {len(rows)} atoms, {list(model.df["HETATM"].residue_name)}')
for name in ['GLY', 'GLN', 'LYS']:
    print(f'biopandas: {name} has number {list(rows[rows.residue_name == name].residue_number)}')
PY
echo "parse-pdb $(node -p "JSON.parse(require('fs').readFileSync('node_modules/parse-pdb/package.json')).version")"
(node run.cjs; env/bin/python -W ignore run.py) | tee out
diff out - <<'END'
A ALA (id 0) has the atoms of ALA1 and ALA1
A GLY (id 0) has the atoms of ALA1 and ALA1
A ASN (id 0) has the atoms of ALA1 and ALA1
A GLN (id 13) has the atoms of GLY2 and GLY2
B THR (id 14) has the atoms of THR1 and THR1
B LYS (id 14) has the atoms of THR1 and THR1
parse-pdb: 32 atoms, zinc false
biopandas, model 1: 16 atoms, ['ZN']
biopandas: GLY has number [2]
biopandas: GLN has number [14]
biopandas: LYS has number [2]
END
