#!/usr/bin/env bash
# shapelib 1.5.0-3+b1 with libshp2 1.5.0-3+b1 (Debian 12), the command dbfdump; dbfread 2.0.7 (PyPI) reads the same file.
# Behaviour: a column of days and one of yes or no are blank in each row, without a word, while a price that is not there is "(NULL)". Ids beyond 15 digits
# are rounded, and leading noughts of a number are gone. A row that is deleted stands among the others, and the mark "(DELETED)" behind it is all that
# tells. With -r the days are there.
# Seen:   Ann 9.50 12345678901234568 and no day / Gone 1.00 7 (DELETED)
# Expected by most: Ann 9.50 12345678901234567 20260105 T; no row for what is deleted.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq shapelib=1.5.0-3+b1 libshp2=1.5.0-3+b1 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PATH=$dir/unpacked/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'libshp.so.2' | head -n 1)")
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dbfread==2.0.7
cat > make.py <<'PY'
import struct

fields = [('NAME', 'C', 6, 0), ('PRICE', 'N', 8, 2), ('ID', 'N', 18, 0), ('DAY', 'D', 8, 0), ('OK', 'L', 1, 0)]
rows = [(' ', 'Ann', '9.50', '12345678901234567', '20260105', 'T'), ('*', 'Gone', '1.00', '7', '20260101', 'F'),
        (' ', 'Bob', '', '12', '20261231', 'F')]
with open('a.dbf', 'wb') as file:
    file.write(struct.pack('<BBBBIHH20x', 3, 126, 1, 5, len(rows), 33 + 32 * len(fields), 1 + sum(one[2] for one in fields)))
    for name, kind, length, decimals in fields:
        file.write(name.encode().ljust(11, b'\0') + kind.encode() + bytes(4) + bytes([length, decimals]) + bytes(14))
    file.write(b'\r')
    for row in rows:
        file.write(row[0].encode() + b''.join((one.rjust if field[1] == 'N' else one.ljust)(field[2]).encode() for field, one in zip(fields, row[1:])))
    file.write(b'\x1a')
PY
python3 make.py
echo "shapelib $(dpkg-deb -f shapelib_*.deb Version)"
(
  dbfdump a.dbf | sed 's/ *$//'
  env/bin/python -c 'import dbfread; [print("dbfread:", *one.values()) for one in dbfread.DBF("a.dbf")]'
) | tee out
diff out - <<'END'
NAME      PRICE                 ID      DAY OK
Ann        9.50  12345678901234568
Gone       1.00                  7    (DELETED)
Bob      (NULL)                 12
dbfread: Ann 9.5 12345678901234567 2026-01-05 True
dbfread: Bob None 12 2026-12-31 False
END
