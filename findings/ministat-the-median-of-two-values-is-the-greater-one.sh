#!/usr/bin/env bash
# ministat 20150715-1+b1 (Debian 12), a tool that compares runs of a benchmark; datamash 1.7-2 and Python, asked for the same median.
# Behaviour: the column "Median" has the upper of the two values in the middle where their number is even, not the mean of the two. Of two runs it is the
# slower one, of four runs of 10, 20, 30 and 40 it is 30. Nothing says so, and with one run more the figure is right. Mean and deviation are as elsewhere.
# So of two equal halves the one that is written with an even number of runs looks worse.
# Seen:   1 1000: median 1000, mean 500.5 / 10 20 30 40: median 30 / 10 20 30 40 50: 30
# Expected by most: 500.5, 25 and 30.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq ministat=20150715-1+b1 datamash=1.7-2 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
PATH=$dir/unpacked/usr/bin:$PATH
echo "ministat $(dpkg-deb -f ministat_*.deb Version)"
(
  for list in '1 1000' '10 20 30 40' '10 20 30 40 50' '5 5 5 9 9 9'; do
    tr ' ' '\n' <<< "$list" > runs
    echo "$list: ministat $(ministat -n runs | awk '/^x +[0-9]/ { print "median", $5, "mean", $6 }'), datamash $(datamash median 1 < runs)," \
      "python $(python3 -c 'import statistics; print(statistics.median(map(float, open("runs"))))')"
  done
) | tee out
diff out - <<'END'
1 1000: ministat , datamash 500.5, python 500.5
10 20 30 40: ministat median 30 mean 25, datamash 25, python 25.0
10 20 30 40 50: ministat median 30 mean 30, datamash 30, python 30.0
5 5 5 9 9 9: ministat median 9 mean 7, datamash 7, python 7.0
END
