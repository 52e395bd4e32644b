#!/usr/bin/env bash
# Miller (mlr) 6.6.0 (Debian 12 package miller 6.6.0-2+b3) against awk.
# Behaviour: a value with a plus sign, such as a difference of +5, and one with leading zeros, such as 007 or 08, is a text, though -5, 0x1F, .5 and
# 007.5 are numbers. Reckoning gives (error) in the field, but the verbs say nothing: stats1 leaves these values out of the sum and the mean, counts
# them, and takes them for the greatest; sort -nr puts +5 before 10. An empty price is the greatest of all in top, and below 5 as well.
# Seen:   +5, 10, -3: sum 7, mean 3.5, count 3, max +5 / 007 + 1 -> (error) / top price of 5, none and 9 -> the row without a price
# Expected by most: sum 12, mean 4, max 10 / 8 / 9.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq miller=6.6.0-2+b3 > /dev/null 2>&1; dpkg-deb -x miller_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
printf '%s\n' change,code,price +5,007,5 10,10, -3,08,9 > a.csv
echo "mlr $(mlr --version)"
(
  mlr --icsv --oxtab stats1 -a sum,mean,count,max,min -f change,code a.csv
  mlr --icsv --ocsv cut -f change,code then put '$type = typeof($change); $more = $change + 1; $next = $code + 1' a.csv
  echo 'sorted by change, greatest first:'
  mlr --icsv --onidx sort -nr change then cut -f change a.csv
  echo 'the top price:'
  mlr --icsv --oxtab top -f price -a a.csv
  echo 'prices below 5, and their sum in all:'
  mlr --icsv --ocsv filter '$price < 5' then cut -f code,price a.csv
  mlr --icsv --ocsv stats1 -a sum,max,count -f price a.csv
  for value in +5 -5 007 007.5 0x1F .5 1e3; do echo "$value + 1: $(echo "x=$value" | mlr --onidx put -q 'print $x + 1')"; done
  awk -F, 'NR > 1 { change += $1; code += $2; if ($3 > best) best = $3 } END { print "awk: sum of change " change ", of code " code ", top price " best }' a.csv
) | tee out
diff out - <<'END'
change_sum   7
change_mean  3.5
change_count 3
change_max   +5
change_min   -3
code_sum     10
code_mean    10
code_count   3
code_max     08
code_min     10
change,code,type,more,next
+5,007,string,(error),(error)
10,10,int,11,11
-3,08,int,-2,(error)
sorted by change, greatest first:
+5
10
-3
the top price:
change 10
code   10
price  
prices below 5, and their sum in all:
code,price
10,
price_sum,price_max,price_count
14,9,2
+5 + 1: (error)
-5 + 1: -4
007 + 1: (error)
007.5 + 1: 8.5
0x1F + 1: 32
.5 + 1: 1.5
1e3 + 1: 1001
awk: sum of change 12, of code 25, top price 9
END
