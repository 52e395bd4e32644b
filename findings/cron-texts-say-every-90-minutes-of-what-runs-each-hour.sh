#!/usr/bin/env bash
# cronstrue 3.39.0 (npm) and cron-descriptor 2.2.1 (PyPI), which say in words when a cron line runs, against three libraries that run it: croner 11.0.1, cron-parser 5.10.6 (npm), croniter 7.0.0 (PyPI).
# Behaviour: the words repeat the numbers and are not worked out. A step longer than its field is said as it stands ("every 90 minutes", "every 13 months") and runs each
# hour, each January; croner alone refuses it. A day and a weekday are joined by "and" in cronstrue, where each of the three runs on both; with */1 as the
# day both say "only on Monday", and all three run every day.
# Seen:   */90: "Every 90 minutes", runs at 01:00, 02:00, 03:00 / 0 0 */1 * 1: "only on Monday", runs on Friday, Saturday, Sunday
# Expected by most: words for the times at which it runs.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund cronstrue@3.39.0 croner@11.0.1 cron-parser@5.10.6
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check cron-descriptor==2.2.1 croniter==7.0.0
cat > lines.json <<'JSON'
["*/90 * * * *", "0 0 1 */13 *", "0 0 1 * 1", "0 0 */1 * 1"]
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Cron } from 'croner';
import { CronExpressionParser } from 'cron-parser';
import cronstrue from 'cronstrue';
const from = new Date('2026-01-01T00:00:00Z');
const form = (date) => date.toISOString().slice(0, 16);
for (const line of JSON.parse(readFileSync('lines.json', 'utf8'))) {
  const parsed = CronExpressionParser.parse(line, { currentDate: from, tz: 'UTC' });
  console.log(`${line} | cronstrue: ${cronstrue.toString(line)}`);
  let runs;
  try {
    runs = new Cron(line, { timezone: 'UTC' }).nextRuns(3, from).map(form).join(' ');
  } catch {
    runs = 'refused';
  }
  console.log('  croner: ' + runs);
  console.log('  cron-parser: ' + [1, 2, 3].map(() => form(parsed.next().toDate())).join(' '));
}
JS
cat > run.py <<'PY'
import datetime
import json
from cron_descriptor import get_description
from croniter import croniter

for line in json.load(open('lines.json')):
    times = croniter(line, datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))
    print(f'{line} | cron-descriptor: {get_description(line)}')
    print('  croniter:', *(times.get_next(datetime.datetime).strftime('%Y-%m-%dT%H:%M') for _ in range(3)))
PY
echo "cronstrue $(node -p "require('./node_modules/cronstrue/package.json').version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
*/90 * * * * | cronstrue: Every 90 minutes
  croner: refused
  cron-parser: 2026-01-01T01:00 2026-01-01T02:00 2026-01-01T03:00
0 0 1 */13 * | cronstrue: At 12:00 AM, on day 1 of the month, every 13 months
  croner: refused
  cron-parser: 2027-01-01T00:00 2028-01-01T00:00 2029-01-01T00:00
0 0 1 * 1 | cronstrue: At 12:00 AM, on day 1 of the month, and on Monday
  croner: 2026-01-05T00:00 2026-01-12T00:00 2026-01-19T00:00
  cron-parser: 2026-01-05T00:00 2026-01-12T00:00 2026-01-19T00:00
0 0 */1 * 1 | cronstrue: At 12:00 AM, only on Monday
  croner: 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00
  cron-parser: 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00
*/90 * * * * | cron-descriptor: Every 90 minutes
  croniter: 2026-01-01T01:00 2026-01-01T02:00 2026-01-01T03:00
0 0 1 */13 * | cron-descriptor: At 12:00 AM, on day 1 of the month, every 13 months
  croniter: 2027-01-01T00:00 2028-01-01T00:00 2029-01-01T00:00
0 0 1 * 1 | cron-descriptor: At 12:00 AM, on day 1 of the month, or on Monday
  croniter: 2026-01-05T00:00 2026-01-12T00:00 2026-01-19T00:00
0 0 */1 * 1 | cron-descriptor: At 12:00 AM, only on Monday
  croniter: 2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00
END
