#!/usr/bin/env bash
# wellknown 0.5.0 and @terraformer/wkt 2.2.2 (npm), which make GeoJSON of well-known text (WKT), here as shapely 2.1.2 (PyPI) writes it; wkx 0.5.0 (npm) beside them.
# Behaviour: wellknown reads a point, a line, a single area and many points with heights; of several lines or several areas with heights it makes an object of the right type without one coordinate,
# and no error: a map shows nothing there. A collection with such a part, and one with heights, is null. @terraformer/wkt reads a measure (POINT M) as the third coordinate, which in GeoJSON is a height:
# 7.5 kilometres along a road are 7.5 metres above the sea.
# Seen:   MULTILINESTRING Z ((1 2 3, 4 5 6)): {"type":"MultiLineString","coordinates":[]} / POINT M (1 2 7.5): wkx [1,2], terraformer [1,2,7.5]
# Expected by most: the coordinates with their heights; a measure is left out, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund wellknown@0.5.0 @terraformer/wkt@2.2.2 wkx@0.5.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check shapely==2.1.2
cat > write.py <<'PY'
import shapely
from shapely import GeometryCollection, LineString, MultiLineString, MultiPolygon, Point, Polygon

area = [(0, 0, 9), (1, 0, 9), (1, 1, 9), (0, 0, 9)]
line = LineString([(1, 2, 3), (4, 5, 6)])
for shape in [line, MultiLineString([line]), Polygon(area), MultiPolygon([Polygon(area)]), MultiLineString([[(1, 2), (4, 5)]]), GeometryCollection([line, Point(7, 8, 9)]), shapely.from_wkt('POINT M (1 2 7.5)')]:
    print(shape.wkt)
PY
env/bin/python write.py > shapes
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import wellknown from 'wellknown';
import wkx from 'wkx';
import { wktToGeoJSON } from '@terraformer/wkt';
const show = (shape) => (shape?.geometries ? JSON.stringify(shape.geometries.map((part) => part.coordinates)) : shape ? `${shape.type} ${JSON.stringify(shape.coordinates)}` : String(shape));
for (const text of readFileSync('shapes', 'utf8').trim().split('\n')) {
  console.log(text);
  console.log('  wellknown:', show(wellknown.parse(text)));
  console.log('  terraformer:', show(wktToGeoJSON(text)));
  console.log('  wkx:', show(wkx.Geometry.parse(text).toGeoJSON()));
}
JS
for package in wellknown @terraformer/wkt wkx; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
echo "shapely $(env/bin/python -c 'import shapely; print(shapely.__version__)')"
node run.mjs | tee out
diff out - <<'END'
LINESTRING Z (1 2 3, 4 5 6)
  wellknown: LineString [[1,2,3],[4,5,6]]
  terraformer: LineString [[1,2,3],[4,5,6]]
  wkx: LineString [[1,2,3],[4,5,6]]
MULTILINESTRING Z ((1 2 3, 4 5 6))
  wellknown: MultiLineString []
  terraformer: MultiLineString [[[1,2,3],[4,5,6]]]
  wkx: MultiLineString [[[1,2,3],[4,5,6]]]
POLYGON Z ((0 0 9, 1 0 9, 1 1 9, 0 0 9))
  wellknown: Polygon [[[0,0,9],[1,0,9],[1,1,9],[0,0,9]]]
  terraformer: Polygon [[[0,0,9],[1,0,9],[1,1,9],[0,0,9]]]
  wkx: Polygon [[[0,0,9],[1,0,9],[1,1,9],[0,0,9]]]
MULTIPOLYGON Z (((0 0 9, 1 0 9, 1 1 9, 0 0 9)))
  wellknown: MultiPolygon []
  terraformer: MultiPolygon [[[[0,0,9],[1,0,9],[1,1,9],[0,0,9]]]]
  wkx: MultiPolygon [[[[0,0,9],[1,0,9],[1,1,9],[0,0,9]]]]
MULTILINESTRING ((1 2, 4 5))
  wellknown: MultiLineString [[[1,2],[4,5]]]
  terraformer: MultiLineString [[[1,2],[4,5]]]
  wkx: MultiLineString [[[1,2],[4,5]]]
GEOMETRYCOLLECTION Z (LINESTRING Z (1 2 3, 4 5 6), POINT Z (7 8 9))
  wellknown: null
  terraformer: [[[1,2,3],[4,5,6]],[7,8,9]]
  wkx: [[[1,2,3],[4,5,6]],[7,8,9]]
POINT M (1 2 7.5)
  wellknown: null
  terraformer: Point [1,2,7.5]
  wkx: Point [1,2]
END
