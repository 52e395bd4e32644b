#!/usr/bin/env bash
# datamash 1.7-2 (Debian 12), with and without --narm.
# Behaviour: with --narm, which leaves NA and NaN out, a group that has only NA has a least value of minus infinity and a greatest of plus infinity, so the
# group without any number has both the lowest minimum and the highest maximum of all, and sorts first. Its sum is 0 and its mean nan. Without --narm a NaN
# that comes first in its group is the least and the greatest value, and one that comes later is passed over: the answer depends on the order of the lines.
# getnum reads 1e3 as 1 and 1,234 as 1.
# Seen:   C of NA, NA: min -inf, max inf, sum 0 / nan 3 1: min nan / 3 nan 1: min 1
# Expected by most: NA or nan for a group without numbers, and the same answer in any order.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq datamash=1.7-2 > /dev/null 2>&1; dpkg-deb -x datamash_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
export LC_ALL=C
printf '%s\t%s\n' A 5 A 7 B -3 B NA C NA C NA > a.tsv
echo "datamash $(datamash --version | sed -n '1s/.* //p')"
(
  echo 'group min max range absmin sum mean, sorted by min:'
  datamash --narm -g1 min 2 max 2 range 2 absmin 2 sum 2 mean 2 < a.tsv | sort -g -k2 | tr '\t' ' '
  for list in 'nan 3 1' '3 nan 1' '3 1 nan'; do echo "$list: min and max $(tr ' ' '\n' <<< "$list" | datamash min 1 max 1 | tr '\t' ' ')"; done
  echo "getnum: $(printf '%s\n' 1e3 1,234 | datamash getnum 1 | tr '\n' ' ')"
) | tee out
diff out - <<'END'
group min max range absmin sum mean, sorted by min:
C -inf inf nan -inf 0 nan
B -3 -3 0 -3 -3 -3
A 5 7 2 5 12 6
nan 3 1: min and max nan nan
3 nan 1: min and max 1 3
3 1 nan: min and max 1 3
getnum: 1 1 
END
