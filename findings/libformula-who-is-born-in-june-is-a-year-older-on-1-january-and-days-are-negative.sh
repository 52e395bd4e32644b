#!/usr/bin/env bash
# libformula 1.1.7 (Pentaho; Debian 12 package libformula-java 1.1.7.dfsg-3, with libbase-java 1.1.6-3): its functions of dates; Python for the arithmetic.
# Behaviour: DATEDIF subtracts the numbers of the years or months and does not look at the day, so 31 December to 1 January is a year and 31 January to
# 1 February a month; who was born on 15 June 2000 is 26 on 14 June 2026. "md" and "yd" are other figures too. DAYS takes the earlier day first: in the
# order of OpenFormula, end and then start, the days are negative. SUM and MIN with an NA() give no value and no error. 2^3^2 is 64.
# Seen:   DATEDIF(2025-12-31;2026-01-01;"y") = 1 / age 26 / DAYS(2026-03-01;2026-01-31) = -29 / "yd" from 1 December to 1 March = 275
# Expected by most: 0, 25, 29, 90.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libformula-java=1.1.7.dfsg-3 libbase-java=1.1.6-3 libcommons-logging-java > /dev/null 2>&1
for one in *.deb; do dpkg-deb -x "$one" unpacked; done
cat > Run.java <<'JAVA'
import org.pentaho.reporting.libraries.formula.*;

public class Run {
  public static void main(String[] args) throws Exception {
    LibFormulaBoot.getInstance().start();
    for (String text : new String[] {
        "DATEDIF(DATE(2025;12;31);DATE(2026;1;1);\"y\")", "DATEDIF(DATE(2000;6;15);DATE(2026;6;14);\"y\")",
        "DATEDIF(DATE(2000;6;15);DATE(2026;1;1);\"y\")",
        "DATEDIF(DATE(2026;1;31);DATE(2026;2;1);\"m\")", "DATEDIF(DATE(2026;1;15);DATE(2026;2;14);\"m\")",
        "DATEDIF(DATE(2025;12;1);DATE(2026;3;1);\"yd\")", "DATEDIF(DATE(2026;1;31);DATE(2026;3;1);\"d\")",
        "DAYS(DATE(2026;3;1);DATE(2026;1;31))", "DATE(2026;3;1)-DATE(2026;1;31)", "SUM(1;NA())", "MIN(1;NA())", "2^3^2"}) {
      Formula formula = new Formula(text);
      formula.initialize(new DefaultFormulaContext());
      System.out.println(text + " = " + formula.evaluate());
    }
  }
}
JAVA
cat > run.py <<'PY'
from datetime import date


def years(start, end):
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


print('full years, by Python:', years(date(2025, 12, 31), date(2026, 1, 1)), years(date(2000, 6, 15), date(2026, 6, 14)), years(date(2000, 6, 15), date(2026, 1, 1)))
print('days, by Python:', (date(2026, 3, 1) - date(2026, 1, 31)).days, (date(2026, 3, 1) - date(2025, 12, 1)).days)
PY
echo "libformula $(dpkg-deb -f libformula-java_*.deb Version)"
jars=unpacked/usr/share/java/libformula.jar:unpacked/usr/share/java/libbase.jar:unpacked/usr/share/java/commons-logging.jar
(java -cp $jars Run.java 2> /dev/null; python3 run.py) | tee out
diff out - <<'END'
DATEDIF(DATE(2025;12;31);DATE(2026;1;1);"y") = 1
DATEDIF(DATE(2000;6;15);DATE(2026;6;14);"y") = 26
DATEDIF(DATE(2000;6;15);DATE(2026;1;1);"y") = 26
DATEDIF(DATE(2026;1;31);DATE(2026;2;1);"m") = 1
DATEDIF(DATE(2026;1;15);DATE(2026;2;14);"m") = 1
DATEDIF(DATE(2025;12;1);DATE(2026;3;1);"yd") = 275
DATEDIF(DATE(2026;1;31);DATE(2026;3;1);"d") = 29
DAYS(DATE(2026;3;1);DATE(2026;1;31)) = -29
DATE(2026;3;1)-DATE(2026;1;31) = 29
SUM(1;NA()) = null
MIN(1;NA()) = null
2^3^2 = 64.0
full years, by Python: 0 25 25
days, by Python: 29 90
END
