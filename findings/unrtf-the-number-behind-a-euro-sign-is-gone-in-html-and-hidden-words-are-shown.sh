#!/usr/bin/env bash
# unrtf 0.21.10-clean-1 (Debian 12), --html and --text; striprtf 0.0.29 (PyPI), asked the same.
# Behaviour: in RTF a sign beyond the code page is written \u8364? with one letter to take instead of it, as pandoc and many others write it. With --html
# unrtf drops not that letter alone but the whole word up to the next blank, so the price behind the sign is gone, and with \uc0 (nothing to take instead)
# also. Without a blank nothing is left: "minus 5" is a minus sign. With --text the number is there, and the sign is not. Words that are hidden are shown.
# Seen:   --html: "C &euro; each", "D &minus; degrees", "F &ge; of", hidden shown / --text: "C ?30,50 each"
# Expected by most: C €30,50 each, D −5 degrees, F ≥10 of, as in the other reader.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq unrtf=0.21.10-clean-1 > /dev/null 2>&1; dpkg-deb -x unrtf_*.deb unpacked; PATH=$dir/unpacked/usr/bin:$PATH
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check striprtf==0.0.29
cat > a.rtf <<'RTF'
{\rtf1\ansi\ansicpg1252\deff0\uc1{\fonttbl{\f0 Arial;}}
C \u8364?30,50 each\par
D \u8722?5 degrees\par
E {\uc0\u8364 40} each\par
F \u8805?10 of 12\par
G we pay{\v  no more than 7} here\par
}
RTF
cat > other.py <<'PY'
from striprtf.striprtf import rtf_to_text

print(rtf_to_text(open('a.rtf').read()).strip())
PY
echo "unrtf $(unrtf --version 2>&1 | head -n 1)"
words() { unrtf -P unpacked/usr/share/unrtf --nopict "$1" a.rtf 2> /dev/null | grep '[C-G] [^A-Z]' | grep -v '^<!\|###' | sed 's/<[^>]*>//g'; }
(echo '--html'; words --html; echo '--text'; words --text; echo 'striprtf'; env/bin/python other.py) | tee out
diff out - <<'END'
--html
C &euro; each
D &minus; degrees
E &euro; each
F &ge; of 12
G we pay no more than 7 here
--text
C ?30,50 each
D ?5 degrees
E 40 each
F ?10 of 12
G we pay no more than 7 here
striprtf
C €30,50 each
D −5 degrees
E €40 each
F ≥10 of 12
G we pay no more than 7 here
END
