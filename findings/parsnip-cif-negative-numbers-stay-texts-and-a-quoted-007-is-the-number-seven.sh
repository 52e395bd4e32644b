#!/usr/bin/env bash
# parsnip-cif 1.0.0 against gemmi 0.7.5 (PyPI): crystal structures in the CIF format.
# Behaviour: with cast_values=True numbers of the file become numbers, but not one with a minus or a plus in front, with an exponent, or that begins with its
# point: these stay texts, with the uncertainty in brackets behind them. What the file has in quotation marks, which makes it a text by the format, becomes a
# number ('007' is 7), and loses each apostrophe within. In a table a quoted text is cut at a "#" within it, as if a remark began there.
# Seen:   0.5(12): 0.5, -0.5(12): '-0.5(12)', .5: '.5', 1e3: '1e3' / '007': 7 / 'it's ok': 'its ok' / 'b # c': "'b"
# Expected by most: -0.5, 0.5, 1000.0, the text 007, it's ok, b # c.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check parsnip-cif==1.0.0 gemmi==0.7.5
cat > run.py <<'PY'
from gemmi import cif
from parsnip import CifFile

values = ['12', '-12', '+5', '0.5(12)', '-0.5(12)', '0.5', '.5', '-.5', '1e3', "'007'", "'it's ok'"]
with open('one.cif', 'w') as file:
    file.write('data_a\n' + ''.join(f'_v{i} {value}\n' for i, value in enumerate(values)))
mine = CifFile('one.cif', cast_values=True)
block = cif.read('one.cif').sole_block()
for i, value in enumerate(values):
    raw = block.find_value(f'_v{i}')
    other = repr(cif.as_string(raw)) if raw[0] in '\'"' else cif.as_number(raw)
    print(f'{value}: parsnip {mine[f"_v{i}"]!r}, gemmi {other}')
with open('two.cif', 'w') as file:
    file.write("data_a\nloop_\n_label\n_x\n_note\nSi1 0.1 'a b'\nO1 0.3 'b # c'\n")
print('table: parsnip', [row for table in CifFile('two.cif').loops for row in table.tolist()])
print('table: gemmi', [[cif.as_string(one) for one in row] for row in cif.read('two.cif').sole_block().find(['_label', '_x', '_note'])])
PY
env/bin/pip list 2> /dev/null | grep -E '^(parsnip|gemmi)'
env/bin/python -W ignore run.py | tee out
diff out - <<'END'
12: parsnip 12, gemmi 12.0
-12: parsnip '-12', gemmi -12.0
+5: parsnip '+5', gemmi 5.0
0.5(12): parsnip 0.5, gemmi 0.5
-0.5(12): parsnip '-0.5(12)', gemmi -0.5
0.5: parsnip 0.5, gemmi 0.5
.5: parsnip '.5', gemmi 0.5
-.5: parsnip '-.5', gemmi -0.5
1e3: parsnip '1e3', gemmi 1000.0
'007': parsnip 7, gemmi '007'
'it's ok': parsnip 'its ok', gemmi "it's ok"
table: parsnip [[('Si1', '0.1', "'a b'")], [('O1', '0.3', "'b")]]
table: gemmi [['Si1', '0.1', 'a b'], ['O1', '0.3', 'b # c']]
END
