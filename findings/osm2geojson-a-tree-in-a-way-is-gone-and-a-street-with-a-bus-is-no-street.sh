#!/usr/bin/env bash
# osm2geojson 0.3.2 (PyPI) and osm2geojson-lite 1.2.0 (npm, with completeFeature): maps of OpenStreetMap as GeoJSON, default settings.
# Behaviour: both leave out every node that a way passes through, also when it has tags of its own: a tree, a crossing, a door. (The one of PyPI gives it with filter_used_refs=False.)
# The one of npm leaves out every way that is part of a relation too, so a street that a bus takes is there as the bus line only, and its own tags (kind, name) are nowhere.
# Both make an area of building=no.
# Seen:   node 3 natural=tree: in neither / way 10 highway=residential "Long Road": PyPI yes, npm no
# Expected by most: all that has tags: the street, the tree, the bus line and the well.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check osm2geojson==0.3.2
npm init -y > /dev/null; npm install --silent --no-audit --no-fund osm2geojson-lite@1.2.0 2> /dev/null
cat > map.osm <<'XML'
<osm version="0.6">
 <node id="1" lat="0" lon="0"/><node id="2" lat="0" lon="1"/>
 <node id="3" lat="1" lon="1"><tag k="natural" v="tree"/></node>
 <node id="4" lat="5" lon="5"><tag k="name" v="Well"/></node>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/><tag k="name" v="Long Road"/></way>
 <way id="11"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/><tag k="building" v="no"/></way>
 <relation id="20"><member type="way" ref="10" role=""/><tag k="type" v="route"/><tag k="route" v="bus"/></relation>
</osm>
XML
cat > run.py <<'PY'
import importlib.metadata
import sys
import osm2geojson
print('osm2geojson', importlib.metadata.version('osm2geojson'), file=sys.stderr)
text = open('map.osm').read()
for name, options in [('PyPI', {}), ('PyPI, filter_used_refs=False', {'filter_used_refs': False})]:
    found = [(f"{feature['properties']['type']}/{feature['properties']['id']}", feature['geometry']['type'], feature['properties'].get('tags')) for feature in osm2geojson.xml2geojson(text, **options)['features']]
    for place in sorted(found, key=lambda entry: entry[0]):
        if place[2]:
            print(f'{name}:', *place)
PY
cat > run.cjs <<'JS'
const convert = require('osm2geojson-lite');
const { features } = (convert.default ?? convert)(require('fs').readFileSync('map.osm', 'utf8'), { completeFeature: true });
for (const { id, geometry, properties: { id: _, ...tags } } of features.sort((a, b) => (a.id < b.id ? -1 : 1))) console.log('npm:', id, geometry.type, JSON.stringify(tags));
JS
node -p "'osm2geojson-lite ' + JSON.parse(require('fs').readFileSync('node_modules/osm2geojson-lite/package.json')).version"
(env/bin/python run.py; node run.cjs) | tee out
diff out - <<'END'
PyPI: node/4 Point {'name': 'Well'}
PyPI: relation/20 LineString {'type': 'route', 'route': 'bus'}
PyPI: way/10 LineString {'highway': 'residential', 'name': 'Long Road'}
PyPI: way/11 Polygon {'building': 'no'}
PyPI, filter_used_refs=False: node/3 Point {'natural': 'tree'}
PyPI, filter_used_refs=False: node/4 Point {'name': 'Well'}
PyPI, filter_used_refs=False: relation/20 LineString {'type': 'route', 'route': 'bus'}
PyPI, filter_used_refs=False: way/10 LineString {'highway': 'residential', 'name': 'Long Road'}
PyPI, filter_used_refs=False: way/11 Polygon {'building': 'no'}
npm: node/4 Point {"name":"Well"}
npm: relation/20 MultiLineString {"type":"route","route":"bus"}
npm: way/11 Polygon {"building":"no"}
END
