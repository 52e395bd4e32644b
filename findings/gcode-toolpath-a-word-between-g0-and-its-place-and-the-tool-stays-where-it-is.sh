#!/usr/bin/env bash
# gcode-toolpath 3.0.0 (npm) against pygcode 0.2.1 (PyPI): programs of milling machines and 3D printers.
# Behaviour: the words of a line are cut into groups, one for each G, M, T, F or S, and a place belongs to the word before it only. By the standard of the
# language the order of words in a line means nothing. So in "G0 G90 G54 X20 Y5", the usual first line of a program, the G0 has no place and the place
# belongs to G54, which does nothing with it. Lines that go on with the last move, such as "F500 X20", "G90 X20" or "M3 X20", move nothing. A G91
# behind the place is not for its own line. The path is wrong from there on; nothing is told.
# Seen:   G0 G90 G54 X20 Y5: stays at X10 Y0 / F500 X20: stays / X20 F500: moves / G0 G43 Z5 H1: the height stays 0 / G1 X20 G91: 20
# Expected by most: X20 in all of these (30 in the last), as the order of words does not count.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts gcode-toolpath@3.0.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pygcode==0.2.1
cat > lines.txt <<'END'
X20 F500
F500 X20
G90 X20
G90 G0 X20 Y5
G0 G90 G54 X20 Y5
G0 G43 Z5 H1
X20 M3
M3 X20
G91 G1 X20
G1 G91 X20
G1 X20 G91
END
cat > run.cjs <<'JS'
const Toolpath = require('gcode-toolpath');
const places = require('./pygcode.json');
for (const line of require('fs').readFileSync('lines.txt', 'utf8').trim().split('\n')) {
  const path = new Toolpath({ addLine() {}, addArcCurve() {} });
  path.loadFromStringSync(`G21 G90\nG1 X10 F100\n${line}\n`);
  const { x, y, z } = path.getPosition();
  console.log(`${line.padEnd(18)} gcode-toolpath X${x} Y${y} Z${z}, pygcode ${places[line]}`);
}
JS
cat > run.py <<'PY'
import json
from pygcode import Line, Machine

places = {}
for line in open('lines.txt').read().split('\n'):
    machine = Machine()
    for one in ['G21 G90', 'G1 X10 F100', line]:
        machine.process_block(Line(one).block)
    places[line] = ' '.join(f'{axis}{getattr(machine.pos, axis):g}' for axis in 'XYZ')
json.dump(places, open('pygcode.json', 'w'))
PY
echo "gcode-toolpath $(node -p "JSON.parse(require('fs').readFileSync('node_modules/gcode-toolpath/package.json')).version")"
env/bin/python run.py; node run.cjs | tee out
diff out - <<'END'
X20 F500           gcode-toolpath X20 Y0 Z0, pygcode X20 Y0 Z0
F500 X20           gcode-toolpath X10 Y0 Z0, pygcode X20 Y0 Z0
G90 X20            gcode-toolpath X10 Y0 Z0, pygcode X20 Y0 Z0
G90 G0 X20 Y5      gcode-toolpath X20 Y5 Z0, pygcode X20 Y5 Z0
G0 G90 G54 X20 Y5  gcode-toolpath X10 Y0 Z0, pygcode X20 Y5 Z0
G0 G43 Z5 H1       gcode-toolpath X10 Y0 Z0, pygcode X10 Y0 Z5
X20 M3             gcode-toolpath X20 Y0 Z0, pygcode X20 Y0 Z0
M3 X20             gcode-toolpath X10 Y0 Z0, pygcode X20 Y0 Z0
G91 G1 X20         gcode-toolpath X30 Y0 Z0, pygcode X30 Y0 Z0
G1 G91 X20         gcode-toolpath X10 Y0 Z0, pygcode X30 Y0 Z0
G1 X20 G91         gcode-toolpath X20 Y0 Z0, pygcode X30 Y0 Z0
END
