#!/usr/bin/env bash
# ais-stream-decoder 2.1.2 (npm) against pyais 3.3.1 (PyPI), which also writes the messages: positions that ships send.
# Behaviour: how fast a ship turns is sent as 4.733 times the root of the degrees a minute, negative to port. The decoder divides and takes a root once
# more where it should square. So 10 degrees a minute to starboard are 1.8 and 200 are 3.8; all turns to port have the root of a negative number, which
# JSON writes as null, the very value of "no rate of turn is known". A ship without such a device (-128) is null as well.
# Seen:   to starboard 10: 1.78, 50: 2.64, 200: 3.76 / to port: null, null, null
# Expected by most: 10, 50, 200 and -10, -50, -200 (or the raw value), and null only where nothing was sent.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts ais-stream-decoder@2.1.2 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyais==3.3.1
cat > run.py <<'PY'
import json
from pyais import decode, encode_dict

rows = []
for turn in [0, 10, 50, 200, -10, -50, -200, -128]:
    lines = encode_dict({'type': 1, 'mmsi': 211000001, 'lat': 53.5, 'lon': 9.9, 'speed': 12.3, 'course': 90, 'heading': 90, 'status': 0, 'turn': turn})
    rows.append({'turn': turn, 'line': lines[0], 'pyais': float(decode(*lines).turn)})
json.dump(rows, open('rows.json', 'w'))
PY
cat > run.cjs <<'JS'
const Decoder = require('ais-stream-decoder').default;
const rows = JSON.parse(require('fs').readFileSync('rows.json', 'utf8'));
const decoder = new Decoder();
let next = 0;
decoder.on('data', (text) => {
  const { turn, line, pyais } = rows[next++];
  // The bits 42 to 49 of the message are the rate as it was sent: a byte with a sign.
  const bits = [...line.split(',')[5]].map((one) => one.charCodeAt(0) - 48).map((n) => (n > 40 ? n - 8 : n).toString(2).padStart(6, '0')).join('');
  const raw = (parseInt(bits.slice(42, 50), 2) << 24) >> 24;
  const real = raw === -128 ? 'unknown' : (Math.sign(raw) * (raw / 4.733) ** 2).toFixed(1);
  const seen = JSON.parse(text).rateOfTurn;
  console.log(`sent ${raw}, by the standard ${real}: pyais ${pyais}, ais-stream-decoder ${seen === null ? seen : seen.toFixed(2)}`);
});
for (const { line } of rows) decoder.write(line);
JS
echo "ais-stream-decoder $(node -p "JSON.parse(require('fs').readFileSync('node_modules/ais-stream-decoder/package.json')).version")"
env/bin/python run.py; node run.cjs | tee out
diff out - <<'END'
sent 0, by the standard 0.0: pyais 0, ais-stream-decoder 0.00
sent 15, by the standard 10.0: pyais 10, ais-stream-decoder 1.78
sent 33, by the standard 48.6: pyais 49, ais-stream-decoder 2.64
sent 67, by the standard 200.4: pyais 200, ais-stream-decoder 3.76
sent -15, by the standard -10.0: pyais -10, ais-stream-decoder null
sent -33, by the standard -48.6: pyais -49, ais-stream-decoder null
sent -67, by the standard -200.4: pyais -200, ais-stream-decoder null
sent -128, by the standard unknown: pyais -128, ais-stream-decoder null
END
