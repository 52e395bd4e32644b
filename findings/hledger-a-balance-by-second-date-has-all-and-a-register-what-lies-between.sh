#!/usr/bin/env bash
# hledger 1.25-2+b5 (Debian 12): the filter date2:, which goes by the second date of a transaction, in five reports.
# Behaviour: "print" and "aregister" with date2:2026-02 show the two transactions of February, 1 and 8. "balance" with the same filter shows the sum of all
# transactions, also those of January and March that have no second date. "register" shows February and besides what lies between the first and the second
# date of one of them. Only with --date2 and date: all agree. Where no second date lies far from the first, all seems right.
# Seen:   print: A D / register: A C B D, 15 EUR / balance: 31 EUR / --date2 date:2026-02: 9 EUR
# Expected by most: 9 EUR in each.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 > /dev/null 2>&1; dpkg-deb -x hledger_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
export HOME=$dir LANG=C.UTF-8 LEDGER_FILE=$dir/a.journal
n=0
for one in '2026-01-05=2026-02-01 A' '2026-01-10 C' '2026-01-31 B' '2026-02-10 D' '2026-03-01 E'; do
  printf '%s\n    cost  %s EUR\n    cash\n\n' "$one" $((2 ** n)) >> a.journal; n=$((n + 1))
done
echo "$(hledger --version)"
(
  echo "all: $(hledger print | grep EUR | tr -s ' \n' ' ')"
  echo "print: $(hledger print date2:2026-02 | grep ^2 | tr '\n' ' ')"
  echo "aregister: $(hledger aregister cost date2:2026-02 -O csv | tail -n 1)"
  hledger register cost date2:2026-02 -O csv
  echo "balance: $(hledger balance -N cost date2:2026-02 | tr -s ' ')"
  echo "balance by month: $(hledger balance -N -M cost date2:2026-02 -O csv | tr '\n' ' ')"
  echo "balance --date2: $(hledger balance -N cost --date2 date:2026-02 | tr -s ' ')"
) | tee out
diff out - <<'END'
all:  cost 1 EUR cost 2 EUR cost 4 EUR cost 8 EUR cost 16 EUR 
print: 2026-01-05=2026-02-01 A 2026-02-10 D 
aregister: "4","2026-02-10","","D","cash","8 EUR","9 EUR"
"txnidx","date","code","description","account","amount","total"
"1","2026-01-05","","A","cost","1 EUR","1 EUR"
"2","2026-01-10","","C","cost","2 EUR","3 EUR"
"3","2026-01-31","","B","cost","4 EUR","7 EUR"
"4","2026-02-10","","D","cost","8 EUR","15 EUR"
balance:  31 EUR cost
balance by month: "account","2026-01","2026-02","2026-03" "cost","7 EUR","8 EUR","16 EUR" 
balance --date2:  9 EUR cost
END
