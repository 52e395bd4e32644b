#!/usr/bin/env bash
# ssf 0.11.2 (npm), the number formats of spreadsheets, with numfmt 4.0.1 (npm) asked the same.
# Behaviour: where a format has a condition, as in the well-known [>=1000]0.0,"k";0, the minus sign of a negative number is not written, so a loss is a
# gain. A time that lies a hair below a full minute, as sums of times often do, goes back by a whole minute: 10:30:00 is 10:29:00. Seconds with a fraction
# and no minutes before them get their fraction twice.
# Seen:   -2000 in [>=1000]0.0,"k";0.0 is 2000.0 / 10:29:59.999 in hh:mm:ss is 10:29:00 / 1.73 seconds in s.00 are 1.73.73
# Expected by most: -2000.0, 10:30:00 and 1.73, as spreadsheets and numfmt show.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts ssf@0.11.2 numfmt@4.0.1 2> /dev/null
cat > run.mjs <<'JS'
import ssf from 'ssf';
import * as numfmt from 'numfmt';
const ask = (format, value, note = value) => console.log(`${format}  ${note}: ssf ${ssf.format(format, value)}, numfmt ${numfmt.format(format, value)}`);
ask('[>=1000]0.0,"k";0.0', 2000);
ask('[>=1000]0.0,"k";0.0', -2000);
ask('[>=1000000]0.0,,"M";[>=1000]0.0,"k";0', -5);
ask('[Red][<5]0;[Blue]0', -2);
ask('0;(0)', -2);
const time = (10 * 3600 + 29 * 60 + 59.999) / 86400;
ask('hh:mm:ss', time, '10:29:59.999');
ask('yyyy-mm-dd hh:mm:ss', 46357 + time, '10:29:59.999 of a day');
ask('hh:mm:ss', (7 * 3600 + 59 * 60 + 59.999) / 86400, '07:59:59.999');
ask('s.00', 1.73 / 86400, '1.73 seconds');
ask('ss.00', 1.73 / 86400, '1.73 seconds');
JS
for one in ssf numfmt; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
[>=1000]0.0,"k";0.0  2000: ssf 2.0k, numfmt 2.0k
[>=1000]0.0,"k";0.0  -2000: ssf 2000.0, numfmt -2000.0
[>=1000000]0.0,,"M";[>=1000]0.0,"k";0  -5: ssf 5, numfmt -5
[Red][<5]0;[Blue]0  -2: ssf 2, numfmt -2
0;(0)  -2: ssf (2), numfmt (2)
hh:mm:ss  10:29:59.999: ssf 10:29:00, numfmt 10:30:00
yyyy-mm-dd hh:mm:ss  10:29:59.999 of a day: ssf 2026-12-01 10:29:00, numfmt 2026-12-01 10:30:00
hh:mm:ss  07:59:59.999: ssf 07:59:00, numfmt 08:00:00
s.00  1.73 seconds: ssf 1.73.73, numfmt 1.73
ss.00  1.73 seconds: ssf 01.73, numfmt 01.73
END
