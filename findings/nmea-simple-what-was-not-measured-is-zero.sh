#!/usr/bin/env bash
# nmea-simple 3.3.0 (npm), parseNmeaSentence of sentences with empty fields (as a receiver sends them before it has a fix).
# Behaviour: every empty number is 0: position 0/0 (in the Gulf of Guinea), height 0, course 0 (north), a signal of 0 dB for a satellite that is
# not tracked, as for one that is received with 0 dB. The missing time is 1 January 1970. Written again with encodeNmeaPacket the sentence has
# real zeros at the equator. Only "fixType" or "status" still tell it.
# Seen:   latitude 0 longitude 0 altitudeMeters 0 / trackTrue 0 / SNRdB 0
# Expected by most: undefined, null or NaN where nothing was sent.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund nmea-simple@3.3.0
cat > read.js <<'JS'
const nmea = require('nmea-simple');
console.log('nmea-simple', require('nmea-simple/package.json').version);
function sentence(body) {
  let sum = 0;
  for (const c of body) sum ^= c.charCodeAt(0);
  return '$' + body + '*' + sum.toString(16).toUpperCase().padStart(2, '0');
}
const show = (name, packet, ...keys) => console.log(name, keys.map(k => k + '=' + packet[k]).join(' '));
const fix = nmea.parseNmeaSentence(sentence('GPGGA,,,,,,0,00,,,M,,M,,'));
show('GGA without a fix:', fix, 'fixType', 'latitude', 'longitude', 'altitudeMeters', 'horizontalDilution');
console.log('  time', fix.time.toISOString());
console.log('  written again', nmea.encodeNmeaPacket(fix, 'GP'));
const standing = nmea.parseNmeaSentence(sentence('GPRMC,123519,A,4807.038,N,01131.000,E,000.0,,010326,,'));
show('RMC of one that stands:', standing, 'status', 'latitude', 'speedKnots', 'trackTrue', 'variation');
const view = nmea.parseNmeaSentence(sentence('GPGSV,1,1,02,03,45,111,00,04,15,270,'));
console.log('GSV', JSON.stringify(view.satellites));
JS
node read.js | tee out
diff out - <<'END'
nmea-simple 3.3.0
GGA without a fix: fixType=none latitude=0 longitude=0 altitudeMeters=0 horizontalDilution=0
  time 1970-01-01T00:00:00.000Z
  written again $GPGGA,000000,0000.000000,N,00000.000000,E,0,0,0.0,0.0,M,0.0,M,0.00,*5D
RMC of one that stands: status=valid latitude=48.1173 speedKnots=0 trackTrue=0 variation=0
GSV [{"prnNumber":3,"elevationDegrees":45,"azimuthTrue":111,"SNRdB":0},{"prnNumber":4,"elevationDegrees":15,"azimuthTrue":270,"SNRdB":0}]
END
