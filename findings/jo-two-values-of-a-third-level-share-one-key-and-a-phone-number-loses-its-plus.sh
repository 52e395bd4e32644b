#!/usr/bin/env bash
# jo 1.9-1 (Debian 12).
# Behaviour: a name with two pairs of brackets is taken as far as the first pair: p[q][r]=1 and p[q][s]=2 become "q" twice in one object, so any reader keeps
# the last and the names r and s are nowhere. p[][q]=1 makes a list of the plain number. A value that can be read as a number is one: a phone number loses
# its plus sign, a hash of digits with an e and a code with a nought in front become other values, 0x10 is 16, and an id beyond 2 to the 53rd is rounded,
# while a hash whose exponent is too large stays a text, so one column has both kinds.
# Seen:   {"p":{"q":1,"q":2}} / "phone":491234, "id":9007199254740992, "hash":500000000 and "hash":"1234e567"
# Expected by most: {"p":{"q":{"r":1,"s":2}}}, or an error; the id as it was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq jo=1.9-1 > /dev/null 2>&1; dpkg-deb -x jo_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
echo "$(jo -v)"
(
  jo 'p[q][r]=1' 'p[q][s]=2'
  jo 'p[q][]=1' 'p[q][]=2'
  jo 'p[][q]=1' 'p[][q]=2'
  jo -d. p.q.r=1 p.q.s=2
  jo phone=+491234 id=9007199254740993 part=0x10 hash=50e7
  jo phone=1234 id=12345678901234567890 part=0x1g hash=1234e567
  jo 'p[q][r]=1' 'p[q][s]=2' | python3 -c 'import json, sys; print("python reads:", json.load(sys.stdin))'
) | tee out
diff out - <<'END'
{"p":{"q":1,"q":2}}
{"p":{"q":1,"q":2}}
{"p":[1,2]}
{"p":{"q":{"r":1,"s":2}}}
{"phone":491234,"id":9007199254740992,"part":16,"hash":500000000}
{"phone":1234,"id":1.234567890123457e+19,"part":"0x1g","hash":"1234e567"}
python reads: {'p': {'q': 2}}
END
