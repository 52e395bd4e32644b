#!/usr/bin/env bash
# num-utils 0.5-15 (Debian 12): numnormalize, numsum, numaverage, numround and numgrep; Python, asked the same.
# Behaviour: numnormalize "between 0 and 1" divides each number by the sum of all: 10, 20 and 30 become a sixth, a third and a half, none is 0 and none is 1.
# With -R 100..200 they are 116 to 150. With a number below nought the answers lie outside of 0 to 1. All the tools read a number as far as its digits: a
# thousand as 1e3 or 1,234 is 1, a price with a dollar sign is nothing and counts for nothing in the sum, and nobody says so.
# Seen:   10 20 30: 0.1666 0.3333 0.5 / 30 -10: 1.5 -0.5 / sum of 1e3 and 2.5e-1: 3.5
# Expected by most: 0 0.5 1; 1 0; 1000.25.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq num-utils=0.5-15 > /dev/null 2>&1; dpkg-deb -x num-utils_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
ask() { echo "$2 of $1 -> $(tr ' ' '\n' <<< "$1" | $2 2>&1 | tr '\n' ' ')"; }
echo "num-utils $(dpkg-deb -f num-utils_*.deb Version)"
(
  ask '10 20 30' numnormalize
  ask '10 20 30' 'numnormalize -R 100..200'
  ask '30 -10' numnormalize
  ask '1e3 2.5e-1' numsum
  ask '1e3 2.5e-1' numround
  ask '1e3 2.5e-1' 'numgrep /1..10/'
  ask '1,234 1,234' numsum
  ask '$3.50 $4.50' numsum
  python3 -c 'n = [10, 20, 30]; print("python:", *[(one - min(n)) / (max(n) - min(n)) for one in n], 1e3 + 2.5e-1)'
) | tee out
diff out - <<'END'
numnormalize of 10 20 30 -> 0.166666666666667 0.333333333333333 0.5 
numnormalize -R 100..200 of 10 20 30 -> 116.666666666667 133.333333333333 150 
numnormalize of 30 -10 -> 1.5 -0.5 
numsum of 1e3 2.5e-1 -> 3.5 
numround of 1e3 2.5e-1 -> 1 3 
numgrep /1..10/ of 1e3 2.5e-1 -> 1e3 2.5e-1 
numsum of 1,234 1,234 -> 2 
numsum of $3.50 $4.50 -> 0 
python: 0.0 0.5 1.0 1000.25
END
