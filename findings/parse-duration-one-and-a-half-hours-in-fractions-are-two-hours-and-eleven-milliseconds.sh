#!/usr/bin/env bash
# parse-duration 2.1.9 (npm), texts of durations as milliseconds, or in the unit that is asked for.
# Behaviour: 1 1/2 h is 2 hours and 11 milliseconds: each number without a unit counts in the unit of the answer, so in minutes it is 131. 1½ h is one millisecond. A range is added up.
# A time of day form, 1:30, is 1.03 when milliseconds are asked and 1.5 when minutes or hours are: the first part counts in the unit of the answer, the next ones as a fraction of it. The third part of 1:30:00 is nothing then.
# With days before it, "1 day, 1:30:00" is hours, minutes and seconds.
# Seen:   1 1/2 h: 7200011 / 1½ h: 1 / 1:30: 1.03, in minutes 1.5, in hours 1.5 / 10-15 min: 900010
# Expected by most: 5400000 or null; one length of time whatever the unit.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund parse-duration@2.1.9
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import parse from 'parse-duration';

console.log('parse-duration', JSON.parse(readFileSync('node_modules/parse-duration/package.json')).version);
for (const text of ['1.5 h', '1h 30m', '1h 30', '1 1/2 h', '1/2 h', '1½ h', '10-15 min', '1:30', '0:45', '1:30:00', '1 day, 1:30:00']) {
  console.log(`${text}: ${parse(text)} ms, ${parse(text, 'm')} min, ${parse(text, 'h')} h`);
}
JS
node run.mjs | tee out
diff out - <<'END'
parse-duration 2.1.9
1.5 h: 5400000 ms, 90 min, 1.5 h
1h 30m: 5400000 ms, 90 min, 1.5 h
1h 30: 5400000 ms, 90 min, 1.5 h
1 1/2 h: 7200011 ms, 131 min, 13 h
1/2 h: 7200001 ms, 121 min, 3 h
1½ h: 1 ms, 1 min, 1 h
10-15 min: 900010 ms, 25 min, 10.25 h
1:30: 1.03 ms, 1.5 min, 1.5 h
0:45: 0.045 ms, 0.75 min, 0.75 h
1:30:00: 1.03 ms, 1.5 min, 1.5 h
1 day, 1:30:00: 91800000 ms, 1530 min, 25.5 h
END
