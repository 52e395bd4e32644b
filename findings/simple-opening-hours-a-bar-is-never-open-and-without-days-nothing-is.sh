#!/usr/bin/env bash
# simple-opening-hours 0.1.1 (npm), opening hours as OpenStreetMap writes them; opening_hours 3.15.0 (npm) asked the same.
# Behaviour: hours that pass midnight (20:00-03:00) are never open, neither in the evening nor at night. Hours without days, which hold on every day, are
# open on none. A day of the year that is "off" is open. No one of these is an error.
# Seen:   "Fr-Sa 20:00-03:00" on Saturday 21:00: closed / "08:00-20:00" on Tuesday 11:00: closed / "Dec 25 off" on 25 December: open
# Expected by most: what opening_hours answers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts simple-opening-hours@0.1.1 opening_hours@3.15.0 2> /dev/null
cat > run.cjs <<'JS'
const { SimpleOpeningHours: Simple } = require('simple-opening-hours');
const full = require('opening_hours');
const Full = full.default ?? full;
const ask = (hours, ...times) => {
  console.log(hours);
  for (const time of times) {
    const at = new Date(time);
    const word = (open) => (open ? 'open' : 'closed');
    console.log(`    ${time}: simple-opening-hours ${word(new Simple(hours).isOpenOn(at))}, opening_hours ${word(new Full(hours).getState(at))}`);
  }
};
ask('Fr-Sa 20:00-03:00', '2026-12-05T21:00', '2026-12-06T01:00', '2026-12-05T12:00');
ask('Mo-Fr 22:00-06:00', '2026-12-01T23:00');
ask('08:00-20:00', '2026-12-01T11:00', '2026-12-05T11:00');
ask('Mo-Su 10:00-18:00; Dec 25 off', '2026-12-25T11:00', '2026-12-26T11:00');
ask('Mo-Fr 09:00-17:00; We off', '2026-12-02T10:00', '2026-12-01T10:00');
JS
for one in simple-opening-hours opening_hours; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
TZ=UTC node run.cjs | tee out
diff out - <<'END'
Fr-Sa 20:00-03:00
    2026-12-05T21:00: simple-opening-hours closed, opening_hours open
    2026-12-06T01:00: simple-opening-hours closed, opening_hours open
    2026-12-05T12:00: simple-opening-hours closed, opening_hours closed
Mo-Fr 22:00-06:00
    2026-12-01T23:00: simple-opening-hours closed, opening_hours open
08:00-20:00
    2026-12-01T11:00: simple-opening-hours closed, opening_hours open
    2026-12-05T11:00: simple-opening-hours closed, opening_hours open
Mo-Su 10:00-18:00; Dec 25 off
    2026-12-25T11:00: simple-opening-hours open, opening_hours closed
    2026-12-26T11:00: simple-opening-hours open, opening_hours open
Mo-Fr 09:00-17:00; We off
    2026-12-02T10:00: simple-opening-hours closed, opening_hours closed
    2026-12-01T10:00: simple-opening-hours open, opening_hours open
END
