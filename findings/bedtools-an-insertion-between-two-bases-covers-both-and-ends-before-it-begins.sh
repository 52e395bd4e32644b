#!/usr/bin/env bash
# bedtools 2.30.0+dfsg-3 (Debian 12): genomecov, coverage, flank, shift and bed12tobed6.
# Behaviour: a place of no length, such as an insertion (start and end are 25; the BED format allows it), is counted as the two bases beside it. genomecov
# gives both a depth of one more, coverage says that the place is 2 bases long and half covered, bed12tobed6 writes it as 24 to 26, flank leaves a base out
# on either side, and shift near the end of the chromosome writes an end that comes before the start. merge and sort take it as it is.
# Seen:   depth 1 at 24-26 of a place from 25 to 25 / coverage: 1 of 2 bases, 0.5 / shift by 40 on a chromosome of 50: 50 to 49
# Expected by most: depth nowhere, length 0, 25 to 25, flanks 20-25 and 25-30, 50 to 50.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq bedtools=2.30.0+dfsg-3 > /dev/null 2>&1; dpkg-deb -x bedtools_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
printf 'chr1\t25\t25\tins\t1\t+\n' > a.bed
printf 'chr1\t25\t26\tbase\t1\t+\n' > one.bed
printf 'chr1\t20\t25\tx\t1\t+\n' > b.bed
printf 'chr1\t50\n' > g.txt
echo "bedtools $(bedtools --version)"
ask() { echo "$1 -> $(bedtools "$@" 2>&1 | tr '\t\n' ' ;')"; }
(
  ask merge -i a.bed
  ask genomecov -i a.bed -g g.txt -bg
  ask genomecov -i one.bed -g g.txt -bg
  ask coverage -a a.bed -b b.bed
  ask bed12tobed6 -i a.bed
  ask flank -i a.bed -g g.txt -b 5
  ask shift -i a.bed -g g.txt -s 40
) | tee out
diff out - <<'END'
merge -> chr1 25 25;
genomecov -> chr1 24 26 1;
genomecov -> chr1 25 26 1;
coverage -> chr1 25 25 ins 1 + 1 1 2 0.5000000;
bed12tobed6 -> chr1 24 26 ins 1 +;
flank -> chr1 19 24 ins 1 +;chr1 26 31 ins 1 +;
shift -> chr1 50 49 ins 1 +;
END
