#!/usr/bin/env bash
# edtf 4.11.1 (npm), dates of ISO 8601-2 (extended date time format): min, max and covers.
# Behaviour: seasons are quarters of the year: spring (21) is January to March, winter (24) October to December; so spring 2026 does not hold the 10th of April but holds the 5th of January. The quarters (33 to 36) are the same.
# A span of years in a set or list counts by its first year: [1667,1668,1670..1672] ends in 1670 and does not cover 1672, {1667..1670} is the year 1667 alone. It is written back as it was.
# Seen:   2026-21: 2026-01-01 to 2026-03-31 / [1667,1668,1670..1672]: 1667-01-01 to 1670-12-31, covers 1672 false
# Expected by most: spring from March on; a set up to 1672.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund edtf@4.11.1
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import edtf from 'edtf';

console.log('edtf', JSON.parse(readFileSync('node_modules/edtf/package.json')).version);
const day = (time) => new Date(time).toISOString().slice(0, 10);
for (const text of ['2026-21', '2026-22', '2026-23', '2026-24', '2026-33', '201X', '1667/1672', '[1667,1668,1670..1672]', '[1667..1670]', '{1667..1670}']) {
  const date = edtf(text);
  console.log(`${text}: ${day(date.min)} to ${day(date.max)}, written again ${date}`);
}
for (const [whole, part] of [['2026-21', '2026-04-10'], ['2026-21', '2026-01-05'], ['[1667,1668,1670..1672]', '1668'], ['[1667,1668,1670..1672]', '1672'], ['1667/1672', '1672']]) {
  console.log(`${whole} covers ${part}:`, edtf(whole).covers(edtf(part)));
}
JS
node run.mjs | tee out
diff out - <<'END'
edtf 4.11.1
2026-21: 2026-01-01 to 2026-03-31, written again 2026-21
2026-22: 2026-04-01 to 2026-06-30, written again 2026-22
2026-23: 2026-07-01 to 2026-09-30, written again 2026-23
2026-24: 2026-10-01 to 2026-12-31, written again 2026-24
2026-33: 2026-01-01 to 2026-03-31, written again 2026-33
201X: 2010-01-01 to 2019-12-31, written again 201X
1667/1672: 1667-01-01 to 1672-12-31, written again 1667/1672
[1667,1668,1670..1672]: 1667-01-01 to 1670-12-31, written again [1667,1668,1670..1672]
[1667..1670]: 1667-01-01 to 1667-12-31, written again [1667..1670]
{1667..1670}: 1667-01-01 to 1667-12-31, written again {1667..1670}
2026-21 covers 2026-04-10: false
2026-21 covers 2026-01-05: true
[1667,1668,1670..1672] covers 1668: true
[1667,1668,1670..1672] covers 1672: false
1667/1672 covers 1672: true
END
