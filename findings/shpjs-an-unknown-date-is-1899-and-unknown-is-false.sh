#!/usr/bin/env bash
# shpjs 6.2.0 (npm) reads a shapefile that pyshp 3.1.6 (PyPI) wrote, with its .dbf table.
# Behaviour: a date that is empty in the table becomes 30 November 1899, and an empty yes/no field becomes false, so that "not checked" is
# the same as "no". Empty numbers are null, as they should be.
# Seen:   checked 1899-11-30, flooded false
# Expected by most: null for both, as for the number.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyshp==3.1.6
npm init -y >/dev/null; npm install --silent --no-audit --no-fund shpjs@6.2.0
cat > write.py <<'PY'
import datetime
import shapefile

writer = shapefile.Writer('wells')
writer.field('name', 'C', 12); writer.field('checked', 'D'); writer.field('flooded', 'L'); writer.field('depth', 'N', 8, 2)
for number, record in enumerate([('north', datetime.date(2026, 3, 1), True, 12.5), ('south', datetime.date(2026, 3, 2), False, 0), ('east', None, None, None)]):
    writer.point(8 + number, 50)
    writer.record(*record)
writer.close()
for record in shapefile.Reader('wells').records():
    print('pyshp', record.as_dict())
PY
cat > read.mjs <<'JS'
import fs from 'fs';
import shp from 'shpjs';
console.log('shpjs', JSON.parse(fs.readFileSync('node_modules/shpjs/package.json')).version);
const map = await shp({ shp: fs.readFileSync('wells.shp'), dbf: fs.readFileSync('wells.dbf') });
for (const feature of map.features) console.log('shpjs', JSON.stringify(feature.properties));
console.log('checked before 2000:', map.features.filter(f => f.properties.checked < new Date('2000-01-01')).map(f => f.properties.name).join());
JS
{ env/bin/python write.py; TZ=UTC node read.mjs; } | tee out
diff out - <<'END'
pyshp {'name': 'north', 'checked': datetime.date(2026, 3, 1), 'flooded': True, 'depth': 12.5}
pyshp {'name': 'south', 'checked': datetime.date(2026, 3, 2), 'flooded': False, 'depth': 0.0}
pyshp {'name': 'east', 'checked': None, 'flooded': None, 'depth': None}
shpjs 6.2.0
shpjs {"name":"north","checked":"2026-03-01T00:00:00.000Z","flooded":true,"depth":12.5}
shpjs {"name":"south","checked":"2026-03-02T00:00:00.000Z","flooded":false,"depth":0}
shpjs {"name":"east","checked":"1899-11-30T00:00:00.000Z","flooded":false,"depth":null}
checked before 2000: east
END
