#!/usr/bin/env bash
# csvkit 2.2.0 with agate 1.14.2 (PyPI), csvjson and csvsort as they are, with which agents make JSON of tables and sort them.
# Behaviour: a column whose values can all be read as times is one of times, whatever it says. 10m and 5m (millions, metres, minutes) are 0:10:00, a clock of 12:00 is
# twelve minutes, the names of months and of weekdays are days of the year 1, and so is "1 month"; 1/2 is a day of 2001, as is a range 1-2. $5 and 5% are 5, a column
# of 0 and 1 is false and true, also a single row with 1. csvsort writes its table out in this reading too.
# Seen:   10m: "0:10:00" / 12:00: "0:12:00" / may: "0001-05-01" / monday: "0001-01-08" / 1/2, 1-2: "2001-01-02" / v1: "v1" / csvsort of 100m: 1:40:00
# Expected by most: numbers, perhaps dates in the usual notation, and every other value as it stands (which -I gives).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check csvkit==2.2.0 agate==1.14.2
for name in csvkit agate; do echo "$name $(env/bin/python -c "import importlib.metadata; print(importlib.metadata.version('$name'))")"; done
for values in '10m,5m' '12:00,13:30' 'may,june' 'monday,friday' '1 month,2 months' '1/2,3/4' '1-2,3-4' '$5,$6' '5%,6%' '0,1' '1' '2,1' 'v1,v2' '1.2.3,4.5.6'; do
  printf 'size\n%s\n' "${values//,/$'\n'}" > table.csv
  printf '%s: %s\n' "$values" "$(env/bin/csvjson -d '|' table.csv)"
done | tee out
printf 'size\n100m\n5m\n' > table.csv
echo "csvsort of 100m, 5m: $(env/bin/csvsort -d '|' table.csv | tr '\n' ' ')" | tee -a out
echo "csvjson -I of 10m: $(printf 'size\n10m\n' | env/bin/csvjson -I -d '|')" | tee -a out
diff out - <<'END'
10m,5m: [{"size": "0:10:00"}, {"size": "0:05:00"}]
12:00,13:30: [{"size": "0:12:00"}, {"size": "0:13:30"}]
may,june: [{"size": "0001-05-01"}, {"size": "0001-06-01"}]
monday,friday: [{"size": "0001-01-08"}, {"size": "0001-01-05"}]
1 month,2 months: [{"size": "0001-02-01"}, {"size": "0001-03-01"}]
1/2,3/4: [{"size": "2001-01-02"}, {"size": "2001-03-04"}]
1-2,3-4: [{"size": "2001-01-02"}, {"size": "2001-03-04"}]
$5,$6: [{"size": 5.0}, {"size": 6.0}]
5%,6%: [{"size": 5.0}, {"size": 6.0}]
0,1: [{"size": false}, {"size": true}]
1: [{"size": true}]
2,1: [{"size": 2.0}, {"size": 1.0}]
v1,v2: [{"size": "v1"}, {"size": "v2"}]
1.2.3,4.5.6: [{"size": "1.2.3"}, {"size": "4.5.6"}]
csvsort of 100m, 5m: size 0:05:00 1:40:00 
csvjson -I of 10m: [{"size": "10m"}]
END
