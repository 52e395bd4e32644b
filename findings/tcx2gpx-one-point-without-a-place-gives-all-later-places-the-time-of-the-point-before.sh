#!/usr/bin/env bash
# tcx2gpx 0.1.6 with python-tcxparser 2.4.0 and gpxpy 1.6.2 (PyPI).
# Behaviour: the lists of places, heights and times of a TCX file are laid side by side. A point without a position (no satellites, as under a bridge; valid in TCX) has a height
# and a time but no place, so from there on each place gets the time and the height of a point before its own. The last time and height are dropped.
# Nothing is said. Two laps with an hour between them become one segment.
# Seen:   point 2 has no place; place 47.02 was reached at 08:02 with 420 m: GPX says 08:01 and 410 m, 47.03 says 08:02 and 420 m
# Expected by most: the point is left out, all others are right.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check tcx2gpx==0.1.6 python-tcxparser==2.4.0 gpxpy==1.6.2
cat > run.py <<'PY'
import importlib.metadata
import re
import sys
from tcx2gpx.tcx2gpx import TCX2GPX

print('tcx2gpx', importlib.metadata.version('tcx2gpx'), file=sys.stderr)


def point(time, latitude, height):
    place = f'<Position><LatitudeDegrees>{latitude}</LatitudeDegrees><LongitudeDegrees>8.0</LongitudeDegrees></Position>' if latitude else ''
    return f'<Trackpoint><Time>2026-05-01T{time}:00Z</Time>{place}<AltitudeMeters>{height}</AltitudeMeters></Trackpoint>'


def lap(start, points):
    return (f'<Lap StartTime="2026-05-01T{start}:00Z"><TotalTimeSeconds>180</TotalTimeSeconds><DistanceMeters>900</DistanceMeters><Calories>9</Calories>'
            f'<Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod><Track>{"".join(points)}</Track></Lap>')


def convert(title, *laps):
    with open('ride.tcx', 'w') as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">'
                   f'<Activities><Activity Sport="Biking"><Id>2026-05-01T08:00:00Z</Id>{"".join(laps)}</Activity></Activities></TrainingCenterDatabase>')
    TCX2GPX(tcx_path='ride.tcx').convert()
    gpx = open('ride.gpx').read()
    print(f'{title}: {gpx.count("<trkseg>")} segment')
    for latitude, height, time in re.findall(r'<trkpt lat="([\d.]+)".*?<ele>([\d.]+)</ele>\s*<time>2026-05-01T([\d:]+)', gpx, re.S):
        print('  ', latitude, height, time)


all_seen = [point('08:00', 47.0, 400), point('08:01', 47.01, 410), point('08:02', 47.02, 420), point('08:03', 47.03, 430)]
convert('all places', lap('08:00', all_seen))
convert('second place unknown', lap('08:00', [all_seen[0], point('08:01', None, 410), *all_seen[2:]]))
convert('two laps', lap('08:00', all_seen[:2]), lap('09:10', [point('09:10', 47.01, 410), point('09:11', 47.02, 420)]))
PY
env/bin/python run.py | tee out
diff out - <<'END'
all places: 1 segment
   47.0 400.0 08:00:00
   47.01 410.0 08:01:00
   47.02 420.0 08:02:00
   47.03 430.0 08:03:00
second place unknown: 1 segment
   47.0 400.0 08:00:00
   47.02 410.0 08:01:00
   47.03 420.0 08:02:00
two laps: 1 segment
   47.0 400.0 08:00:00
   47.01 410.0 08:01:00
   47.01 410.0 09:10:00
   47.02 420.0 09:11:00
END
