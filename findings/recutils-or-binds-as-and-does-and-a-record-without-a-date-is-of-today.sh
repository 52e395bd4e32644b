#!/usr/bin/env bash
# recutils 1.9-2 with librec1 1.9-2 (Debian 12): recsel.
# Behaviour: the manual says that && and || are those of C, yet neither binds closer: "a || b && c" is "(a || b) && c", so one that is asked for by name is
# not found. The mean of a field divides by all records, also those that have no such field, while Count says how many have it. A record without a date
# comes after any day that is past and before any that is to come, for no date is taken for today. Records without the field of a group do not make one
# group but one each.
# Seen:   Id = 1 || Id = 3 && Price = 20: none / Avg of 10 and 20 beside two records more: 7.5 / Date >> 2000: the record without a date too
# Expected by most: 1; 15; only records with a date.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq recutils=1.9-2 librec1=1.9-2 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PATH=$dir/unpacked/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'librec.so.1' | head -n 1)")
cat > items.rec <<'REC'
%rec: Item
%type: Price real
%type: Date date

Id: 1
Price: 10
Shelf: A
Date: 2026-03-01

Id: 2
Price: 20
Shelf: A

Id: 3
Note: gift

Id: 4
Note: gift
REC
echo "recutils $(recsel --version | sed -n 's/^recsel (GNU recutils) //p')"
ask() { echo "$2 -> $(recsel -t Item "$1" "$2" "${@:3}" items.rec | tr '\n' ' ')"; }
(
  ask -e 'Id = 1 || Id = 3 && Price = 20' -p Id
  ask -e 'Id = 1 || (Id = 3 && Price = 20)' -p Id
  ask -e 'Price = 20 && Id = 3 || Id = 1' -p Id
  ask -p 'Sum(Price),Count(Price),Avg(Price)'
  ask -e "Date >> '2000-01-01'" -p Id
  ask -e "Date << '2199-01-01'" -p Id
  ask -G Shelf -p 'Shelf,Count(Id)'
) | tee out
diff out - <<'END'
Id = 1 || Id = 3 && Price = 20 -> 
Id = 1 || (Id = 3 && Price = 20) -> Id: 1 
Price = 20 && Id = 3 || Id = 1 -> Id: 1 
Sum(Price),Count(Price),Avg(Price) -> Sum_Price: 30 Count_Price: 2 Avg_Price: 7.5 
Date >> '2000-01-01' -> Id: 1  Id: 2  Id: 3  Id: 4 
Date << '2199-01-01' -> Id: 1  Id: 2  Id: 3  Id: 4 
Shelf -> Count_Id: 1  Count_Id: 1  Shelf: A Count_Id: 2 
END
