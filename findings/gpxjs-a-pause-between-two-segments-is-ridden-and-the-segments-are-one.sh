#!/usr/bin/env bash
# @we-gold/gpxjs 1.2.0 (npm), parseGPXWithCustomParser with the DOMParser of xmldom-qsa 1.1.3 (npm), and stringifyGPX.
# Behaviour: the segments of a track are joined. The way between the end of the first and the start of the second (here: a train ride of 111 km,
# not recorded) counts as ridden: 111 km instead of 0.2 km. Written again, the file has one segment, so that every other program draws the line too.
# Neither the points nor the track tell where a segment began. The end of the ride is given as 12:00, the last point but one.
# Seen:   distance 111306 m, 1 segment
# Expected by most: 222 m, two segments.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @we-gold/gpxjs@1.2.0 xmldom-qsa@1.1.3
cat > read.mjs <<'JS'
import fs from 'fs';
import { parseGPXWithCustomParser, stringifyGPX } from '@we-gold/gpxjs';
import { DOMParser, XMLSerializer } from 'xmldom-qsa';
console.log('@we-gold/gpxjs', JSON.parse(fs.readFileSync('node_modules/@we-gold/gpxjs/package.json')).version);
const point = (lat, time) => `<trkpt lat="${lat}" lon="8"><ele>100</ele><time>2026-03-01T${time}:00Z</time></trkpt>`;
const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Day trip</name>
<trkseg>${point('50.000', '10:00')}${point('50.001', '10:01')}</trkseg>
<trkseg>${point('51.000', '12:00')}${point('51.001', '12:01')}</trkseg></trk></gpx>`;
const [parsed, error] = parseGPXWithCustomParser(gpx, text => new DOMParser().parseFromString(text, 'text/xml'));
if (error) throw error;
const track = parsed.tracks[0];
console.log('points', track.points.length, 'distance', Math.round(track.distance.total), 'm');
console.log('parts', track.distance.cumulative.map(Math.round).join(' '));
console.log('duration', track.duration.totalDuration, 's, end', track.duration.endTime.toISOString());
console.log('keys', Object.keys(track).filter(k => /seg/i.test(k)).join() || 'none about segments');
const [written] = stringifyGPX(parsed, new XMLSerializer());
console.log('segments before', gpx.split('<trkseg').length - 1, 'after', written.split('<trkseg').length - 1);
console.log('lines of toGeoJSON', parsed.toGeoJSON().features.map(f => f.geometry.type + ' ' + f.geometry.coordinates.length).join());
JS
node read.mjs | tee out
diff out - <<'END'
@we-gold/gpxjs 1.2.0
points 4 distance 111306 m
parts 0 111 111195 111306
duration 7200 s, end 2026-03-01T12:00:00.000Z
keys none about segments
segments before 2 after 1
lines of toGeoJSON LineString 4
END
