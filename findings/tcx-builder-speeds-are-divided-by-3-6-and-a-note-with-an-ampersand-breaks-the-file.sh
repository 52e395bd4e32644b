#!/usr/bin/env bash
# tcx-builder 1.1.1 (npm) writes, tcxreader 0.4.11 (PyPI) reads.
# Behaviour: Speed of a point and MaximumSpeed of a lap are in metres a second in TCX, and the README refers to Garmin's description of TCX for the fields. The builder takes what it gets for
# kilometres an hour and divides it by 3.6: 2.5 m/s is written as 0.694. The other fields (DistanceMeters, TotalTimeSeconds) are written as they are given, so speeds do not fit the distances.
# Notes are not escaped: with an & the file is no XML. Each value stands on a line of its own with blanks around it, which tcxreader does not read (a time with blanks); without the blanks it does.
# Seen:   Speed 2.5 -> 0.6944444444444444 beside 50 m in 20 s (9 km/h) / "Ann & Bob" -> no XML / tcxreader: ValueError
# Expected by most: 2.5; Ann &amp; Bob; a file that readers of TCX open.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund tcx-builder@1.1.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tcxreader==0.4.11
cat > write.cjs <<'JS'
const { Activity, ActivityLap, ActivityList, Position, Track, TrackPoint, TrackPointExtensions, TrainingCenterDatabase } = require('tcx-builder');
const at = (second) => new Date(Date.UTC(2026, 4, 1, 8, 0, second));
const point = (second) => new TrackPoint({ time: at(second), position: new Position(48.5, 2.25), altitudeMeters: 100, distanceMeters: second * 2.5, cadence: 80,
  sensorState: 'Present', extensions: new TrackPointExtensions({ Speed: 2.5, Watts: 200 }) });
const lap = new ActivityLap(at(0), { Calories: 12, DistanceMeters: 50, Intensity: 'Active', TotalTimeSeconds: 20, TriggerMethod: 'Manual', MaximumSpeed: 2.5,
  Track: new Track({ trackPoints: [point(0), point(10), point(20)] }) });
const xml = (Notes) => new TrainingCenterDatabase({ activities: new ActivityList({ activity: [new Activity('Running', { Id: at(0), Laps: [lap], Notes })] }) }).toXml();
require('fs').writeFileSync('plain.tcx', xml('first run'));
require('fs').writeFileSync('notes.tcx', xml('Ann & Bob'));
JS
echo "tcx-builder $(node -p "require('./node_modules/tcx-builder/package.json').version")" >&2
node write.cjs
cat > read.py <<'PY'
import re
import xml.etree.ElementTree as tree
from tcxreader.tcxreader import TCXReader

text = open('plain.tcx').read()
for name in ['MaximumSpeed', 'Speed', 'DistanceMeters', 'TotalTimeSeconds']:
    print(f'written {name}:', re.findall(rf'<{name}>\s*([^\s<]*)', text)[-1])
stripped = re.sub(r'>\s+([^<\s][^<]*?)\s+</', r'>\1</', text)
open('stripped.tcx', 'w').write(stripped)
for name in ['plain.tcx', 'stripped.tcx']:
    try:
        run = TCXReader().read(name)
        print(f'tcxreader, {name}: {run.distance:g} m in {run.duration:g} s, {run.avg_speed:g} km/h, Speed of the points {run.tpx_ext_stats["Speed"]["avg"]:.3f}')
    except ValueError:
        print(f'tcxreader, {name}: ValueError')
for name in ['plain.tcx', 'notes.tcx']:
    try:
        tree.parse(name)
        print(name, 'is XML:', re.findall(r'<Notes>\s*([^<]*?)\s*</Notes>', open(name).read()))
    except tree.ParseError:
        print(name, 'is no XML:', re.findall(r'<Notes>\s*([^<]*?)\s*</Notes>', open(name).read()))
PY
env/bin/python read.py | tee out
diff out - <<'END'
written MaximumSpeed: 0.6944444444444444
written Speed: 0.6944444444444444
written DistanceMeters: 50
written TotalTimeSeconds: 20
tcxreader, plain.tcx: ValueError
tcxreader, stripped.tcx: 50 m in 20 s, 9 km/h, Speed of the points 0.694
plain.tcx is XML: ['first run']
notes.tcx is no XML: ['Ann & Bob']
END
