#!/usr/bin/env bash
# @jscad/dxf-deserializer 2.3.30 (npm) against ezdxf 1.4.5 (PyPI): drawings in the DXF format.
# Behaviour: a face (3DFACE) of four corners loses the fourth where its x is 0, and is a triangle: half of the face is missing. An arc shorter than the
# step of the approximation, as from 350 to 10 degrees, is one point that is "not a number". A closed POLYLINE stays open and its round pieces are straight,
# while an LWPOLYLINE with the same points is closed and round. What a block holds is drawn once at the origin, wherever and how often it is inserted.
# Seen:   (0,0) (4,0) (4,4) (0,4): 3 corners, ezdxf 4 / 350 to 10: [[null,null]] / POLYLINE: open, 3 points / block: one line from 0,0
# Expected by most: four corners, an arc of 20 degrees, both closed and round, lines at 5,5 and 50,50.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @jscad/dxf-deserializer@2.3.30 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ezdxf==1.4.5
cat > run.py <<'PY'
import ezdxf
from ezdxf import path
def save(name, draw):
    drawing = ezdxf.new('R2000')
    draw(drawing.modelspace(), drawing)
    drawing.saveas(f'{name}.dxf')
    return ezdxf.readfile(f'{name}.dxf').modelspace()

def block(space, drawing):
    drawing.blocks.new('B').add_line((0, 0), (1, 0))
    space.add_blockref('B', (5, 5))
    space.add_blockref('B', (50, 50))
def closed(kind):
    points = [(0, 0, 1), (10, 0, 0), (10, 8, 0)]
    return lambda space, drawing: getattr(space, kind)(points, format='xyb', close=True)

for name, corners in [('square at x 0', [(0, 0), (4, 0), (4, 4), (0, 4)]), ('square at x 1', [(1, 0), (5, 0), (5, 4), (1, 4)])]:
    [face] = save(name, lambda space, drawing: space.add_3dface(corners))
    print(f'ezdxf, {name}: {len(set(face.wcs_vertices()))} corners')
for start, end in [(350, 10), (80, 100), (0, 90)]:
    [arc] = save(f'arc {start} {end}', lambda space, drawing: space.add_arc((0, 0), 5, start, end))
    print(f'ezdxf, arc {start} {end}: {(arc.dxf.end_angle - arc.dxf.start_angle) % 360:.0f} degrees')
for kind in ['add_polyline2d', 'add_lwpolyline']:
    [line] = save(kind, closed(kind))
    made = path.make_path(line)
    print(f'ezdxf, {kind}: closed {made.is_closed}, round {made.has_curves}')
print('ezdxf, block:', [str(one.dxf.start) for ref in save('block', block) for one in ref.virtual_entities()])
PY
cat > run.cjs <<'JS'
const { deserialize } = require('@jscad/dxf-deserializer');
const read = (name) => [deserialize({ output: 'geometry', filename: 'a.dxf' }, require('fs').readFileSync(`${name}.dxf`, 'utf8'))].flat();
for (const name of ['square at x 0', 'square at x 1']) console.log(`jscad, ${name}: ${read(name)[0].polygons[0].vertices.length} corners`);
for (const name of ['arc 350 10', 'arc 80 100', 'arc 0 90']) console.log(`jscad, ${name}: ${JSON.stringify(read(name)[0].points.map((one) => [...one].map((n) => Math.round(n))))}`);
for (const name of ['add_polyline2d', 'add_lwpolyline']) console.log(`jscad, ${name}: closed ${read(name)[0].isClosed}, ${read(name)[0].points.length} points`);
console.log(`jscad, block: ${JSON.stringify(read('block').map((one) => one.points.map((point) => [...point])))}`);
JS
echo "@jscad/dxf-deserializer $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@jscad/dxf-deserializer/package.json')).version")"
(env/bin/python run.py; node run.cjs) | tee out
diff out - <<'END'
ezdxf, square at x 0: 4 corners
ezdxf, square at x 1: 4 corners
ezdxf, arc 350 10: 20 degrees
ezdxf, arc 80 100: 20 degrees
ezdxf, arc 0 90: 90 degrees
ezdxf, add_polyline2d: closed True, round True
ezdxf, add_lwpolyline: closed True, round True
ezdxf, block: ['(5.0, 5.0, 0.0)', '(50.0, 50.0, 0.0)']
jscad, square at x 0: 3 corners
jscad, square at x 1: 4 corners
jscad, arc 350 10: [[null,null]]
jscad, arc 80 100: [[null,null]]
jscad, arc 0 90: [[5,0],[5,2],[4,4],[2,5],[0,5]]
jscad, add_polyline2d: closed false, 3 points
jscad, add_lwpolyline: closed true, 10 points
jscad, block: [[[0,0],[1,0]]]
END
