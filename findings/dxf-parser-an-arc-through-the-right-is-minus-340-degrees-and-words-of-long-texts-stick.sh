#!/usr/bin/env bash
# dxf-parser 1.1.2 (npm) against ezdxf 1.4.5 (PyPI): drawings in the DXF format.
# Behaviour: arcs go against the clock by the format; one from 350 to 10 degrees has 20 degrees. Its angleLength is minus 5.93, which is 340 degrees the other
# way round. A text of more than 250 letters stands in pieces; the blank at the end of a piece is lost, so two words become one. The values of an inserted
# block (its part number, its price) are in no list. A circle that is drawn from behind (mirrored) loses the mark for it and so lies on the other side,
# while an arc keeps it.
# Seen:   angleLength -5.93 / "wordword" / no 42 anywhere / circle without, arc with extrusionDirectionZ -1
# Expected by most: 0.35 (20 degrees), the text as it was, the value NO = 42, the same mark at both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts dxf-parser@1.1.2 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ezdxf==1.4.5
cat > run.py <<'PY'
import ezdxf

drawing = ezdxf.new('R2000')
space = drawing.modelspace()
space.add_arc((0, 0), 5, 10, 30)
space.add_arc((0, 0), 5, 350, 10)
space.add_mtext('word ' * 60 + 'end')
drawing.blocks.new('PART').add_line((0, 0), (1, 0))
space.add_blockref('PART', (5, 5)).add_attrib('NO', '42', (5, 5))
for draw in [space.add_circle, lambda *place, **more: space.add_arc(*place, 0, 90, **more)]:
    draw((1, 2), 5, dxfattribs={'extrusion': (0, 0, -1)})
drawing.saveas('small.dxf')
for one in ezdxf.readfile('small.dxf').modelspace():
    if one.dxftype() == 'ARC':
        print(f'ezdxf: ARC {(one.dxf.end_angle - one.dxf.start_angle) % 360:.0f} degrees, turned {one.dxf.extrusion.z}')
    if one.dxftype() == 'CIRCLE':
        print(f'ezdxf: CIRCLE turned {one.dxf.extrusion.z}, really at {one.ocs().to_wcs(one.dxf.center).x:.0f}')
    if one.dxftype() == 'MTEXT':
        print(f'ezdxf: MTEXT {len(one.text.split())} words')
    if one.dxftype() == 'INSERT':
        print('ezdxf: INSERT', [(each.dxf.tag, each.dxf.text) for each in one.attribs])
PY
cat > run.cjs <<'JS'
const found = require('dxf-parser');
const Parser = found.default ?? found.DxfParser ?? found;
const { entities } = new Parser().parseSync(require('fs').readFileSync('small.dxf', 'utf8'));
for (const one of entities) {
  if (one.type === 'ARC') console.log(`dxf-parser: ARC ${(one.angleLength * 180 / Math.PI).toFixed(0)} degrees, turned ${one.extrusionDirectionZ}`);
  if (one.type === 'CIRCLE') console.log(`dxf-parser: CIRCLE turned ${one.extrusionDirectionZ}, at ${one.center.x}`);
  if (one.type === 'MTEXT') console.log(`dxf-parser: MTEXT ${one.text.split(' ').length} words, with "wordword": ${one.text.includes('wordword')}`);
}
console.log(`dxf-parser: 42 is there: ${JSON.stringify(entities).includes('"42"')}`);
JS
echo "dxf-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/dxf-parser/package.json')).version")"
(env/bin/python run.py; node run.cjs) | tee out
diff out - <<'END'
ezdxf: ARC 20 degrees, turned 1.0
ezdxf: ARC 20 degrees, turned 1.0
ezdxf: MTEXT 61 words
ezdxf: INSERT [('NO', '42')]
ezdxf: CIRCLE turned -1.0, really at -1
ezdxf: ARC 90 degrees, turned -1.0
dxf-parser: ARC 20 degrees, turned undefined
dxf-parser: ARC -340 degrees, turned undefined
dxf-parser: MTEXT 60 words, with "wordword": true
dxf-parser: CIRCLE turned undefined, at 1
dxf-parser: ARC 90 degrees, turned -1
dxf-parser: 42 is there: false
END
