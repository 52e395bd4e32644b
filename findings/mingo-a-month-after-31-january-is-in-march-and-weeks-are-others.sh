#!/usr/bin/env bash
# mingo 7.2.7 (npm), queries and pipelines of MongoDB in JavaScript: its operators for dates.
# Behaviour: a month after 31 January is 3 March and a month before 31 March is 3 March: MongoDB stays in February. 30 February is 2 March instead of an
# error. 1 January 2027 lies in week 53 of 2026; mingo says week 53 of 2027, which does not exist. $week is one too high. A text read in the zone
# America/New_York is taken for winter time in July, while the same zone is right when the date is written. A text with its own offset gives nothing.
# Seen:   2025-03-03 / 2026-03-03 / 2027-W53 / week 2 for 4 January 2026 / noon of July in New York: 17:00Z, written again 13:00 / with -04:00: undefined
# Expected by most: 2025-02-28, 2026-02-28, 2026-W53, week 1, 16:00Z and 12:00, as MongoDB documents.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mingo@7.2.7
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { aggregate } from 'mingo';
console.log('mingo', JSON.parse(readFileSync('node_modules/mingo/package.json')).version);
const value = (expression) => aggregate([{}], [{ $project: { _id: 0, value: expression } }])[0].value;
const day = (text) => new Date(text + 'T00:00:00Z');
const show = (name, what) => console.log(name + ': ' + (what instanceof Date ? what.toISOString() : what));
show('a month after 31 January', value({ $dateAdd: { startDate: day('2025-01-31'), unit: 'month', amount: 1 } }));
show('a month before 31 March', value({ $dateSubtract: { startDate: day('2026-03-31'), unit: 'month', amount: 1 } }));
show('a year after 29 February', value({ $dateAdd: { startDate: day('2024-02-29'), unit: 'year', amount: 1 } }));
show('1 January 2027', value({ $isoWeekYear: day('2027-01-01') }) + '-W' + value({ $isoWeek: day('2027-01-01') }));
show('week of 4 January 2026', value({ $week: day('2026-01-04') }));
show('30 February', value({ $dateFromString: { dateString: '2026-02-30' } }));
const noon = value({ $dateFromString: { dateString: '2026-07-15T12:00:00', timezone: 'America/New_York' } });
show('noon of July in New York', noon);
show('noon with its offset', value({ $dateFromString: { dateString: '2026-07-15T12:00:00-04:00' } }));
show('noon with its offset, $toDate', value({ $toDate: '2026-07-15T12:00:00-04:00' }));
show('the same written again', value({ $dateToString: { date: noon, format: '%H:%M', timezone: 'America/New_York' } }));
JS
node run.mjs | tee out
diff out - <<'END'
mingo 7.2.7
a month after 31 January: 2025-03-03T00:00:00.000Z
a month before 31 March: 2026-03-03T00:00:00.000Z
a year after 29 February: 2025-03-01T00:00:00.000Z
1 January 2027: 2027-W53
week of 4 January 2026: 2
30 February: 2026-03-02T00:00:00.000Z
noon of July in New York: 2026-07-15T17:00:00.000Z
noon with its offset: undefined
noon with its offset, $toDate: 2026-07-15T16:00:00.000Z
the same written again: 13:00
END
