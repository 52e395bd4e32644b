#!/usr/bin/env bash
# gpxpy 1.6.2 (PyPI) against gpxparser 3.0.8 (npm): one and the same track.
# Behaviour: get_moving_data() of gpxpy tells moving from stopped time. A rest of five minutes at one and the same place counts as neither: stopped_time
# is 0. Only a rest in which the position trembles by a little is a stop. So moving and stopped time do not add up to the time on the way, and nothing
# says so. gpxparser counts the way between two segments of a track, where the device was off, as gone: 22 km become 122.
# Seen:   rest at one place: stopped_time=0.0 of 320 s / rest with 0.1 m of trembling: stopped_time=300.0 / two segments: gpxpy 22.3 km, gpxparser 122.3 km
# Expected by most: 300 seconds of rest in both, and the same length from both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check gpxpy==1.6.2
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts gpxparser@3.0.8 2> /dev/null
cat > run.py <<'PY'
import importlib.metadata
import sys
import gpxpy

print('gpxpy', importlib.metadata.version('gpxpy'), file=sys.stderr)
head = '<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>T</name>'


def track(*segments):
    points = [''.join(f'<trkpt lat="{lat}" lon="8"><time>2026-01-01T{when}Z</time></trkpt>' for lat, when in one) for one in segments]
    return head + ''.join(f'<trkseg>{one}</trkseg>' for one in points) + '</trk></gpx>'


for name, lat in [('rest at one place', '50.001'), ('rest with 0.1 m of trembling', '50.001001')]:
    data = gpxpy.parse(track([('50.0', '10:00:00'), ('50.001', '10:00:10'), (lat, '10:05:10'), ('50.002', '10:05:20')]))
    moving = data.get_moving_data()
    print(f'{name}: moving_time={moving.moving_time} stopped_time={moving.stopped_time} of {data.get_duration()} s')
two = track([('50.0', '10:00:00'), ('50.1', '10:20:00')], [('51.0', '15:00:00'), ('51.1', '15:20:00')])
open('two.gpx', 'w').write(two)
print(f'two segments, gpxpy: {gpxpy.parse(two).length_2d() / 1000:.1f} km')
PY
cat > run.cjs <<'JS'
const found = require('gpxparser');
const reader = new (found.default ?? found)();
reader.parse(require('fs').readFileSync('two.gpx', 'utf8'));
console.log(`two segments, gpxparser: ${(reader.tracks[0].distance.total / 1000).toFixed(1)} km`);
JS
(env/bin/python run.py; node run.cjs) | tee out
diff out - <<'END'
rest at one place: moving_time=20.0 stopped_time=0.0 of 320.0 s
rest with 0.1 m of trembling: moving_time=20.0 stopped_time=300.0 of 320.0 s
two segments, gpxpy: 22.3 km
two segments, gpxparser: 122.3 km
END
