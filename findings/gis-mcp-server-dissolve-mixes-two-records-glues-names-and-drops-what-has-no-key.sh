#!/usr/bin/env bash
# gis-mcp-server 1.2.0 (PyPI), an MCP server for maps in GeoJSON, over stdio: dissolve of features by a property, and length beside distance.
# Behaviour: aggfunc "first" takes for each field the first value that is not null, so a dissolved feature has the mayor of one town and the mail address of another. "sum" also adds texts:
# names are glued. A feature whose key is null is left out, with its people, and success is true; without a key all properties are gone, sums too.
# length of a line of two points is measured on the flat map of one UTM zone and is 178 km longer than distance of the same two points.
# Seen:   first: {mayor: Ann, mail: bob@b.example} / sum: name "AstadBdorf" / 9 people without a region: gone / New York to London: 5772 km by length, 5594 by distance
# Expected by most: the fields of one record, names left out, a feature for null, 5594 km twice.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check gis-mcp-server==1.2.0 mcp==1.30.0
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
from ask import start

call = start('env/bin/gis-mcp-server')


def dissolve(rows, **arguments):
    features = [{'type': 'Feature', 'properties': row, 'geometry': {'type': 'Point', 'coordinates': [place, 0]}} for place, row in enumerate(rows)]
    answer = json.loads(call('dissolve', features={'type': 'FeatureCollection', 'features': features}, **arguments))
    return answer['success'], [feature['properties'] for feature in answer['data']['features']]


mayors = [{'region': 'n', 'mayor': 'Ann', 'mail': None}, {'region': 'n', 'mayor': 'Bob', 'mail': 'bob@b.example'}]
print('first:', *dissolve(mayors, by='region'))
towns = [{'region': 'n', 'name': 'Astad', 'people': 5}, {'region': 'n', 'name': 'Bdorf', 'people': 7}, {'region': None, 'name': 'Cville', 'people': 9}]
print('sum by region:', *dissolve(towns, by='region', aggfunc='sum'))
print('sum of all:', *dissolve(towns, aggfunc='sum'))
line = {'type': 'LineString', 'coordinates': [[-74, 40.7], [0, 51.5]]}
print('length:', json.loads(call('length', geometry=line))['data']['length']['kilometers'], 'km')
print('distance:', json.loads(call('distance', lat1=40.7, lon1=-74, lat2=51.5, lon2=0))['data']['distance']['kilometers'], 'km')
PY
echo "gis-mcp-server $(env/bin/python -c "import importlib.metadata as m; print(m.version('gis-mcp-server'))")"
env/bin/python run.py | tee out
diff out - <<'END'
first: True [{'region': 'n', 'mayor': 'Ann', 'mail': 'bob@b.example'}]
sum by region: True [{'region': 'n', 'name': 'AstadBdorf', 'people': 12}]
sum of all: True [{}]
length: 5771.916179 km
distance: 5594.408 km
END
