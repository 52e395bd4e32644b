#!/usr/bin/env bash
# taskwarrior 2.6.2+dfsg-1 (Debian 12): recurring tasks, "task calc" and the filter by project.
# Behaviour: a task that is due each month on the 31st is due on 28 February and from then on always on the 28th, for each date is counted from the one
# before and not from the first. A wait of "5m" is 150 days (m is a month; minutes are "min"). In "task calc", 3/2 is 1 and a half is 0, and a month added
# to 31 January is 2 March, so the two ways to count months do not agree. The filter project:Home also finds Homework and "Home Office".
# Seen:   01-31 02-28 03-28 04-28 / 5m: P150D / 3/2: 1 / project:Home: dig, maths, desk, clean
# Expected by most: 01-31 02-28 03-31 04-30; five minutes; 1.5; only Home and what is below it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq taskwarrior=2.6.2+dfsg-1 > /dev/null 2>&1; dpkg-deb -x taskwarrior_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
export TASKRC=$dir/rc TASKDATA=$dir/data HOME=$dir TZ=UTC
printf '%s\n' confirmation=no verbose=nothing hooks=0 recurrence.limit=1 report.x.columns=description report.x.labels=what report.x.sort=id+ > rc
mkdir data
echo "taskwarrior $(task --version)"
(
  task add due:2026-01-31 recur:monthly until:2026-06-15 rent
  task x > /dev/null
  task status:pending or status:deleted export | python3 -c 'import json, sys; print(*sorted(one["due"][:8] for one in json.load(sys.stdin) if "parent" in one))'
  for sum in 5m 3/2 1/2*4 '2026-01-31 + 1 month' 'P1M + P1M'; do echo "$sum -> $(task calc "$sum")"; done
  task add project:Home.Garden dig; task add project:Homework maths; task add 'project:Home Office' desk; task add project:Home clean
  echo "project:Home -> $(task project:Home x | tr -s ' \n-' ' ')"
) 2> /dev/null | tee out
diff out - <<'END'
20260131 20260228 20260328 20260428 20260528 20260628
5m -> P150D
3/2 -> 1
1/2*4 -> 0
2026-01-31 + 1 month -> 2026-03-02T00:00:00
P1M + P1M -> P60D
project:Home -> dig maths desk clean 
END
