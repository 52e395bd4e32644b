#!/usr/bin/env bash
# chrono-node 2.10.3 (npm), dates and times in words, parse with its default (English) settings; asked on Wednesday, the 4th of November 2026, at 10:00.
# Behaviour: "midnight tonight" and "tonight at midnight" are read as one whole, and it is 12:00, noon of the same day. A length of time before an event that it does not
# know becomes "ago": 2 weeks before Christmas is two weeks ago. What it does not know behind a length is left off: in an hour and a half is in one hour, 3 days from
# Friday is Friday. "first Monday of December" is the last Monday, in November, and December on its own. The text that was read says so, but the date is a valid one.
# Seen:   midnight tonight: 2026-11-04 12:00 / 2 weeks before Christmas: 2026-10-21 / in an hour and a half: 11:00 / first Monday of December: 2026-11-02
# Expected by most: the midnight after tonight, the 11th of December, 11:30, the 7th of December, or nothing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund chrono-node@2.10.3
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
process.env.TZ = 'UTC';
const chrono = await import('chrono-node');
console.log('chrono-node', JSON.parse(readFileSync('node_modules/chrono-node/package.json')).version);
const now = new Date(2026, 10, 4, 10);
for (const text of ['midnight tonight', 'tonight at midnight', 'tonight at 8', '2 weeks before Christmas', '7 days before 1 December', 'in an hour and a half', 'in an hour', '3 days from Friday', 'first Monday of December', 'between 5 and 7 pm', 'from 5 to 7 pm']) {
  const found = chrono.parse(text, now).map((part) => `${part.start.date().toISOString().slice(0, 16).replace('T', ' ')}${part.end ? ` to ${part.end.date().toISOString().slice(11, 16)}` : ''} ("${part.text}")`);
  console.log(`${text}: ${found.join(', ') || 'nothing'}`);
}
JS
node run.mjs | tee out
diff out - <<'END'
chrono-node 2.10.3
midnight tonight: 2026-11-04 12:00 ("midnight tonight")
tonight at midnight: 2026-11-04 12:00 ("tonight at midnight")
tonight at 8: 2026-11-04 20:00 ("tonight at 8")
2 weeks before Christmas: 2026-10-21 10:00 ("2 weeks before")
7 days before 1 December: 2026-11-24 12:00 ("7 days before 1 December")
in an hour and a half: 2026-11-04 11:00 ("in an hour")
in an hour: 2026-11-04 11:00 ("in an hour")
3 days from Friday: 2026-11-06 12:00 ("Friday")
first Monday of December: 2026-11-02 12:00 ("Monday"), 2026-12-01 12:00 ("December")
between 5 and 7 pm: 2026-11-04 19:00 ("7 pm")
from 5 to 7 pm: 2026-11-04 17:00 to 19:00 ("from 5 to 7 pm")
END
