#!/usr/bin/env bash
# dateutils 0.4.10-1 (Debian 12): dateutils.ddiff and dateutils.dadd; python-dateutil 2.9.0 (PyPI), asked for the same differences.
# Behaviour: ddiff in months and days is wrong where the first day is one that the last full month has not. From 30 January to 1 March it says one month
# and 63 days; from 31 December 2 months and 62 days; from 31 May to 1 July one month and no day. With %w the weeks are as wrong. Its own dadd does not
# agree: 31 May and a month is 30 June, a day before. dadd leaves hours out where the date has no time: 1 January and 36 (or 48) hours is 1 January.
# Seen:   30 January to 1 March: 1 63 / 31 May to 1 July: 1 0 / 2026-01-01 48h: 2026-01-01
# Expected by most: 1 month and 1 day, and 3 January, as in the other library.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq dateutils=0.4.10-1 > /dev/null 2>&1; dpkg-deb -x dateutils_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-dateutil==2.9.0
cat > other.py <<'PY'
import sys
from datetime import date
from dateutil.relativedelta import relativedelta

first, last = map(date.fromisoformat, sys.argv[1:3])
gap = relativedelta(last, first)
print(f'{gap.months + 12 * gap.years} months {gap.days} days')
PY
echo "dateutils $(dpkg-deb -f dateutils_*.deb Version)"
(
  for pair in '2026-01-15 2026-03-01' '2026-01-30 2026-03-01' '2026-01-31 2026-03-01' '2025-12-31 2026-03-01' '2026-05-31 2026-07-01'; do
    echo "$pair: ddiff $(dateutils.ddiff $pair -f '%m months %d days'), python-dateutil $(env/bin/python other.py $pair)"
  done
  echo "with weeks: $(dateutils.ddiff 2026-01-30 2026-03-01 -f '%m months %w weeks %d days')"
  for step in '2026-05-31 1mo' '2026-01-01 2d' '2026-01-01 36h' '2026-01-01 48h' '2026-01-01T00:00:00 48h'; do
    echo "$step: $(dateutils.dadd $step)"
  done
) | tee out
diff out - <<'END'
2026-01-15 2026-03-01: ddiff 1 months 14 days, python-dateutil 1 months 14 days
2026-01-30 2026-03-01: ddiff 1 months 63 days, python-dateutil 1 months 1 days
2026-01-31 2026-03-01: ddiff 1 months 62 days, python-dateutil 1 months 1 days
2025-12-31 2026-03-01: ddiff 2 months 62 days, python-dateutil 2 months 1 days
2026-05-31 2026-07-01: ddiff 1 months 0 days, python-dateutil 1 months 1 days
with weeks: 1 months 9 weeks 0 days
2026-05-31 1mo: 2026-06-30
2026-01-01 2d: 2026-01-03
2026-01-01 36h: 2026-01-01
2026-01-01 48h: 2026-01-01
2026-01-01T00:00:00 48h: 2026-01-03T00:00:00
END
