#!/usr/bin/env bash
# bibutils 7.2-2 with libbibutils8 7.2-2 (Debian 12): ris2xml and bib2xml, each into xml2bib or xml2ris; rispy 0.10.0 (PyPI) reads the same RIS file.
# Behaviour: of a chapter in RIS the book (T2) becomes the series, its editors (A2) are gone, and the day on which the page was looked at (Y2) stands as the
# month of the book. Of BibTeX, the number of a chapter, the number of pages of a book, the number of a patent and the kind of a report are gone, and the
# name of a kind that does not fit is written to a field "howpublised". "And others" is a person, whose name is Others.
# Seen:   month="2020/05/01", series="Handbook", no editor / author="Roe, J. and {others}"; no chapter = 4
# Expected by most: booktitle="Handbook", editor="Ed, Ina", no month.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq bibutils=7.2-2 libbibutils8=7.2-2 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PATH=$dir/unpacked/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'libbibutils.so.8' | head -n 1)")
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check rispy==0.10.0
printf '%s\n' 'TY  - CHAP' 'AU  - Roe, Jane' 'TI  - Tides' 'T2  - Handbook' 'A2  - Ed, Ina' 'PY  - 2019' 'SP  - 1' 'EP  - 5' 'PB  - Pub' \
  'Y2  - 2020/05/01' 'ER  - ' > chapter.ris
cat > list.bib <<'BIB'
@inbook{k1, author = {Roe, J. and others}, title = {Handbook}, year = 2020, publisher = {Pub}, chapter = 4, pages = {30--40}}
@book{k2, author = {Roe, J.}, title = {Waves}, year = 2020, publisher = {Pub}, pages = {300}}
@patent{k3, author = {Roe, J.}, title = {Pump}, number = {US123}, year = 2001}
@techreport{k4, author = {Roe, J.}, title = {Rain}, institution = {Inst}, type = {Memo}, number = {7}, year = 2001}
@phdthesis{k5, author = {Roe, J.}, title = {Wind}, school = {Uni}, type = {Habilitation thesis}, year = 2001}
BIB
cat > other.py <<'PY'
import rispy

one = rispy.load(open('chapter.ris'))[0]
print('rispy:', {name: one[name] for name in sorted(one) if name in ('secondary_title', 'secondary_authors', 'access_date', 'year')})
PY
echo "bibutils $(dpkg-deb -f bibutils_*.deb Version)"
plain() { sed 's/^\xef\xbb\xbf//' | grep . | tr '\n' ' ' | sed 's/ @/\n@/g'; echo; }
(
  ris2xml chapter.ris 2> /dev/null | xml2bib 2> /dev/null | plain
  bib2xml list.bib 2> /dev/null | xml2bib 2> /dev/null | plain
  env/bin/python other.py
) | tee out
diff out - <<'END'
@Inbook{Roe2019, author="Roe, Jane", title="Tides", series="Handbook", year="2019", month="2020/05/01", publisher="Pub", pages="1--5" } 
@Inbook{k1, author="Roe, J. and {others}", bookTitle="Handbook", year="2020", publisher="Pub", pages="30--40" }
@Book{k2, author="Roe, J.", title="Waves", year="2020", publisher="Pub" }
@Misc{k3, author="Roe, J.", title="Pump", year="2001" }
@TechReport{k4, author="Roe, J.", title="Rain", year="2001", publisher="Inst", number="7" }
@PhdThesis{k5, author="Roe, J.", title="Wind", year="2001", school="Uni", howpublised="Habilitation thesis" } 
rispy: {'access_date': '2020/05/01', 'secondary_authors': ['Ed, Ina'], 'secondary_title': 'Handbook', 'year': '2019'}
END
