#!/usr/bin/env bash
# geomet 1.1.0 (PyPI) and @terraformer/arcgis 2.2.2 (npm), which make GeoJSON of Esri's JSON, as services of ArcGIS send it, default settings.
# Behaviour: Esri puts all rings of an area into one list; a hole is told by its direction. geomet makes a polygon of its own of each ring, so a hole is an island within the area: what was cut out is counted twice. The height of a
# point is dropped. The system of the numbers (wkid 3857: metres) is dropped on reading, and GeoJSON written to Esri again says 4326, degrees. @terraformer/arcgis finds the hole and keeps the height.
# Seen:   area of 100 with a hole of 4: geomet 104, terraformer 96 / z 3: gone / wkid 3857: wkid 4326
# Expected by most: one polygon with a hole; the height; the system, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check geomet==1.1.0
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @terraformer/arcgis@2.2.2
cat > shapes.json <<'JSON'
[{"rings": [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]], [[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]]], "spatialReference": {"wkid": 4326}},
 {"x": 8, "y": 50, "z": 3, "spatialReference": {"wkid": 4326}},
 {"x": 890555.93, "y": 6446275.84, "spatialReference": {"wkid": 3857}}]
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { arcgisToGeoJSON } from '@terraformer/arcgis';
console.log(JSON.stringify(JSON.parse(readFileSync('shapes.json', 'utf8')).map((shape) => arcgisToGeoJSON(shape))));
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
from geomet import esri

print('geomet', importlib.metadata.version('geomet'), '@terraformer/arcgis', json.load(open('node_modules/@terraformer/arcgis/package.json'))['version'])


def area(shape):
    polygons = shape['coordinates'] if shape['type'] == 'MultiPolygon' else [shape['coordinates']]
    size = lambda ring: abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))) / 2
    return sum(size(rings[0]) - sum(size(hole) for hole in rings[1:]) for rings in polygons)


for source, other in zip(json.load(open('shapes.json')), json.load(sys.stdin)):
    mine = esri.loads(json.dumps(source))
    for name, shape in [('geomet', mine), ('terraformer', other)]:
        print(name, json.dumps(shape), f'area {area(shape):g}' if 'Polygon' in shape['type'] else '')
    print('geomet to Esri again:', json.dumps(esri.dumps(mine)))
PY
node run.mjs | env/bin/python run.py | tee out
diff out - <<'END'
geomet 1.1.0 @terraformer/arcgis 2.2.2
geomet {"type": "MultiPolygon", "coordinates": [[[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]], [[[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]]]]} area 104
terraformer {"type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]], [[2, 2], [2, 4], [4, 4], [4, 2], [2, 2]]]} area 96
geomet to Esri again: {"rings": [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]], [[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]]], "spatialReference": {"wkid": 4326}}
geomet {"type": "Point", "coordinates": [8, 50]} 
terraformer {"type": "Point", "coordinates": [8, 50, 3]} 
geomet to Esri again: {"x": 8, "y": 50, "spatialReference": {"wkid": 4326}}
geomet {"type": "Point", "coordinates": [890555.93, 6446275.84]} 
terraformer {"type": "Point", "coordinates": [890555.93, 6446275.84]} 
geomet to Esri again: {"x": 890555.93, "y": 6446275.84, "spatialReference": {"wkid": 4326}}
END
