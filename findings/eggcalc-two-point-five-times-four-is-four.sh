#!/usr/bin/env bash
# eggcalc 1.1.11 (PyPI), a calculator for words, at the command line and as an MCP server.
# Behaviour: a number in words with a fraction becomes a sum without brackets. "Two point five times four" is 2 + 0.5 * 4, so 4; "ten minus one point five" is 10 - 1 + 0.5, so 9.5; three point two squared is 3 + 0.2^2.
# With figures it is right. A fraction before a unit belongs to the divisor: "1/2 kg to g" is 1 / (2 kg), and a quarter of an hour is no time but one through it. Nothing is said; the exit code is 0.
# Seen:   two point five times four => 4.0, ten minus one point five => 9.5, one and a half times two => 2.0, 1/2 kg to g => 0.0005 1/g
# Expected by most: 10, 8.5, 3, 500 g.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check eggcalc==1.1.11
env/bin/calc --version > out
while read -r words; do
  printf '%s => %s\n' "$words" "$(env/bin/calc -- "$words")" >> out
done <<'WORDS'
two point five
two point five times four
2.5 times four
ten minus one point five
six divided by one point five
twenty one point five times two
three point two squared
one and a half times two
two and a quarter times four
one point five times two point five
half a mile to km
1/2 mile to km
1/2 kg to g
0.5 kg to g
WORDS
cat out
diff out - <<'END'
eggcalc 1.1.11
two point five => 2.5
two point five times four => 4.0
2.5 times four => 10.0
ten minus one point five => 9.5
six divided by one point five => 6.5
twenty one point five times two => 22.0
three point two squared => 3.04
one and a half times two => 2.0
two and a quarter times four => 3.0
one point five times two point five => 2.5
half a mile to km => 0.804672 km
1/2 mile to km => 0.310685596118667 1/km
1/2 kg to g => 0.0005 1/g
0.5 kg to g => 500 g
END
