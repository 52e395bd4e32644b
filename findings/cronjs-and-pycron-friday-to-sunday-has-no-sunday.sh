#!/usr/bin/env bash
# @datasert/cronjs-matcher 1.4.0 (npm) and pycron 3.3.0 (PyPI); croner (npm) and cronsim 2.8 (PyPI) for comparison.
# Behaviour: Sunday may be written as 0 or 7. Both take 5-7 without an error and run it on Friday and Saturday only. pycron does not know 7 at all: "0 9 * * 7" is never true.
# What pycron can't read is never true either, and it says nothing: L, 1#2, 10/20, names of months, 22-2. (cronjs reads a lone 7.)
# Seen:   0 9 * * 5-7: cronjs 2, 3, 9, 10 January; pycron the same; others 2, 3, 4, 9 / 0 9 * * 7: pycron never
# Expected by most: Friday, Saturday and Sunday, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @datasert/cronjs-matcher@1.4.0 croner@11.0.1 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pycron==3.3.0 cronsim==2.8
cat > run.mjs <<'JS'
import cronjs from '@datasert/cronjs-matcher';
import { Cron } from 'croner';
const from = '2026-01-01T00:00:00Z';
for (const rule of ['0 9 * * 5-7', '0 9 * * 7', '0 9 * * 0', '0 9 * * 6,7']) {
  console.log(`${rule}: cronjs ${cronjs.getFutureMatches(rule, { startAt: from, matchCount: 4, timezone: 'Etc/UTC' }).map((time) => time.slice(5, 10)).join(', ')}; croner ${new Cron(rule, { timezone: 'UTC' }).nextRuns(4, new Date(from)).map((time) => time.toISOString().slice(5, 10)).join(', ')}`);
}
JS
cat > run.py <<'PY'
import datetime
import importlib.metadata
import sys
import cronsim
import pycron
print(*(f'{name} {importlib.metadata.version(name)}' for name in ('pycron', 'cronsim')), sep=', ', file=sys.stderr)
start = datetime.datetime(2026, 1, 1)
for rule in ['0 9 * * 5-7', '0 9 * * 7', '0 9 * * 0', '0 9 * * 1#2', '0 9 L * *', '10/20 9 6 1 *', '0 22-2 6 1 *']:
    true = [time for time in (start + datetime.timedelta(minutes=10 * step) for step in range(6 * 24 * 60)) if pycron.is_now(rule, time)]
    try:
        other = cronsim.CronSim(rule, start)
        expected = ', '.join(next(other).strftime('%m-%d') for _ in range(4))
    except cronsim.CronSimError:
        expected = 'refused'
    print(f"{rule}: pycron {', '.join(time.strftime('%m-%d') for time in true[:4]) or 'never'}; cronsim {expected}")
PY
node -p "'cronjs-matcher ' + JSON.parse(require('fs').readFileSync('node_modules/@datasert/cronjs-matcher/package.json')).version"
(node run.mjs; env/bin/python run.py) | tee out
diff out - <<'END'
0 9 * * 5-7: cronjs 01-02, 01-03, 01-09, 01-10; croner 01-02, 01-03, 01-04, 01-09
0 9 * * 7: cronjs 01-04, 01-11, 01-18, 01-25; croner 01-04, 01-11, 01-18, 01-25
0 9 * * 0: cronjs 01-04, 01-11, 01-18, 01-25; croner 01-04, 01-11, 01-18, 01-25
0 9 * * 6,7: cronjs 01-03, 01-04, 01-10, 01-11; croner 01-03, 01-04, 01-10, 01-11
0 9 * * 5-7: pycron 01-02, 01-03, 01-09, 01-10; cronsim 01-02, 01-03, 01-04, 01-09
0 9 * * 7: pycron never; cronsim 01-04, 01-11, 01-18, 01-25
0 9 * * 0: pycron 01-04, 01-11, 01-18, 01-25; cronsim 01-04, 01-11, 01-18, 01-25
0 9 * * 1#2: pycron never; cronsim 01-12, 02-09, 03-09, 04-13
0 9 L * *: pycron never; cronsim 01-31, 02-28, 03-31, 04-30
10/20 9 6 1 *: pycron never; cronsim 01-06, 01-06, 01-06, 01-06
0 22-2 6 1 *: pycron never; cronsim refused
END
