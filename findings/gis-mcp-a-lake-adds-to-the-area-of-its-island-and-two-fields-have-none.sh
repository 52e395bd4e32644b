#!/usr/bin/env bash
# gis-mcp 0.15.0 (PyPI), an MCP server over shapely, pyproj and GeoPandas, over stdio: calculate_geodetic_area of geometries as WKT, and get_area of the same.
# Behaviour: the geodetic area goes by the direction in which rings are written, which WKT leaves free and is_valid of the same server calls valid. A hole that runs like its outer ring is
# added, not taken off. Two equal fields of a multipolygon, of which one runs the other way round, have no area at all. The answer is "success". get_area of the same server is right
# in its own units for all of them.
# Seen:   island with a lake of 36 percent: 136 percent of the area / two fields: 0.0 square metres
# Expected by most: 64 percent; twice the area of one field.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check gis-mcp==0.15.0
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio and gives a function that calls its tools."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        send(id=1, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == 1:
                return answer.get('result') or answer['error']

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import json
import pyproj
import shapely
from ask import start

call = start('env/bin/gis-mcp')
outer, lake = '(0 0,1 0,1 1,0 1,0 0)', '(0.2 0.2,0.8 0.2,0.8 0.8,0.2 0.8,0.2 0.2)'
shapes = {
    'island': f'POLYGON({outer})',
    'island, the other way round': 'POLYGON((0 0,0 1,1 1,1 0,0 0))',
    'island with a lake': f'POLYGON({outer},{lake})',
    'with a lake, the other way round': f'POLYGON({outer},(0.2 0.2,0.2 0.8,0.8 0.8,0.8 0.2,0.2 0.2))',
    'two fields': f'MULTIPOLYGON(({outer}),((10 0,10 1,11 1,11 0,10 0)))',
}
for name, text in shapes.items():
    ask = lambda tool: json.loads(call(tool, geometry=text))
    shape = shapely.orient_polygons(shapely.from_wkt(text)) if hasattr(shapely, 'orient_polygons') else shapely.from_wkt(text)
    right = pyproj.Geod(ellps='WGS84').geometry_area_perimeter(shape)[0]
    print(f"{name}: geodetic {ask('calculate_geodetic_area')['area'] / 1e6:.1f} km2, by rings put in order {right / 1e6:.1f}, get_area {ask('get_area')['area']:.2f}, is_valid {ask('is_valid')['is_valid']}")
PY
echo "gis-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('gis-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
island: geodetic 12308.8 km2, by rings put in order 12308.8, get_area 1.00, is_valid True
island, the other way round: geodetic 12308.8 km2, by rings put in order 12308.8, get_area 1.00, is_valid True
island with a lake: geodetic 16739.9 km2, by rings put in order 7877.7, get_area 0.64, is_valid True
with a lake, the other way round: geodetic 7877.7 km2, by rings put in order 7877.7, get_area 0.64, is_valid True
two fields: geodetic 0.0 km2, by rings put in order 24617.6, get_area 2.00, is_valid True
END
