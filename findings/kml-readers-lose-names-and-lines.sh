#!/usr/bin/env bash
# @tmcw/togeojson 7.1.3 (npm, with @xmldom/xmldom 0.9.12) and fastkml 1.4.0 (PyPI), one file of KML, default settings.
# Behaviour: togeojson puts the data that a place carries (ExtendedData) over its own properties: a column "name" takes the place of the name, a column
# "description" that of the description, and the true ones are nowhere. fastkml reads a line of which some points have a height and some have none
# as a place without geometry, with strict checking too, and a file that it writes has no line there any more.
# Seen:   name "Shop 1" with data name "ann": name "ann" / line 8.5,50.1,100 8.6,50.2: None, and no coordinates when written
# Expected by most: both names, and the line.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @tmcw/togeojson@7.1.3 @xmldom/xmldom@0.9.12 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastkml==1.4.0 pygeoif==1.6.0
cat > places.kml <<'XML'
<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>Shop 1</name><description>open daily</description>
<ExtendedData><Data name="name"><value>ann</value></Data><Data name="description"><value>owner</value></Data></ExtendedData>
<Point><coordinates>8.5,50.1</coordinates></Point></Placemark>
<Placemark><name>Way</name><LineString><coordinates>8.5,50.1,100 8.6,50.2</coordinates></LineString></Placemark>
<Placemark><name>Flat way</name><LineString><coordinates>8.5,50.1 8.6,50.2</coordinates></LineString></Placemark>
</Document></kml>
XML
cat > run.mjs <<'JS'
import fs from 'node:fs';
import { kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
const { features } = kml(new DOMParser().parseFromString(fs.readFileSync('places.kml', 'utf8'), 'text/xml'));
for (const { properties, geometry } of features) console.log(`togeojson ${JSON.stringify(properties)} ${JSON.stringify(geometry.coordinates)}`);
JS
cat > run.py <<'PY'
from fastkml import KML
file = KML.parse('places.kml', strict=True)
for place in file.features[0].features:
    data = {one.name: one.value for one in place.extended_data.elements} if place.extended_data else {}
    print('fastkml', place.name, data, place.geometry)
print('lines when written again:', file.to_string().count('LineString>') // 2)
PY
echo "togeojson $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@tmcw/togeojson/package.json')).version")"
(node run.mjs; env/bin/python run.py) | tee out
diff out - <<'END'
togeojson {"name":"ann","description":"owner"} [8.5,50.1]
togeojson {"name":"Way"} [[8.5,50.1,100],[8.6,50.2]]
togeojson {"name":"Flat way"} [[8.5,50.1],[8.6,50.2]]
fastkml Shop 1 {'name': 'ann', 'description': 'owner'} POINT (8.5 50.1)
fastkml Way {} None
fastkml Flat way {} LINESTRING (8.5 50.1, 8.6 50.2)
lines when written again: 1
END
