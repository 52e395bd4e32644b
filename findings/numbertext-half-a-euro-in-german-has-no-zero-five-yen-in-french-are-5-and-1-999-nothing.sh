#!/usr/bin/env bash
# numbertext 1.0.11 (org.numbertext; Debian 12 package libnumbertext-java 1.0.11-1) against num2words 0.5.14 (PyPI).
# Behaviour: an amount below one has no zero in German, " Euro und fünfzig Cent", and the ordinal of nought is "te". Yen lose their name in French. A
# third decimal of an amount, a plus sign, a separator of thousands in money or an exponent gives an empty text and no error; without a currency 1,000
# is one point zero zero zero, as comma and point are both the decimal sign in each language. In French 10.10 is ten point ten and 10.1 ten point one.
# Seen:   EUR 0.50 -> " Euro und fünfzig Cent" / JPY 5 -> "cinq" / USD 1.999 -> "" / 1,000 -> "one point zero zero zero"
# Expected by most: null Euro und fünfzig Cent, cinq yens, an error or two dollars, one thousand.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libnumbertext-java=1.0.11-1 > /dev/null 2>&1; dpkg-deb -x libnumbertext-java_*.deb unpacked
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check num2words==0.5.14
cat > Run.java <<'JAVA'
import org.numbertext.Numbertext;

public class Run {
  public static void main(String[] args) throws Exception {
    java.io.PrintStream out = new java.io.PrintStream(System.out, true, "UTF-8");
    for (String[] one : new String[][] {{"EUR 0.50", "de_DE"}, {"EUR -0.50", "de_DE"}, {"EUR 1.50", "de_DE"}, {"ordinal 0", "de_DE"}, {"JPY 5", "fr_FR"},
        {"EUR 5", "fr_FR"}, {"10.10", "fr_FR"}, {"10.1", "fr_FR"}, {"USD 1.99", "en_US"}, {"USD 1.999", "en_US"}, {"USD 1,000.00", "en_US"},
        {"1,000", "en_US"}, {"+5", "en_US"}, {"1e3", "en_US"}}) {
      out.println(one[0] + " in " + one[1] + " -> [" + Numbertext.numbertext(one[0], one[1]) + "]");
    }
  }
}
JAVA
cat > run.py <<'PY'
from num2words import num2words

print('num2words:', num2words(0.5, lang='de', to='currency', currency='EUR'), '|', num2words(0, lang='de', to='ordinal'))
PY
echo "numbertext $(dpkg-deb -f libnumbertext-java_*.deb Version)"
(java -cp unpacked/usr/share/java/numbertext.jar Run.java; PYTHONIOENCODING=utf-8 env/bin/python run.py) | tee out
diff out - <<'END'
EUR 0.50 in de_DE -> [ Euro und fünfzig Cent]
EUR -0.50 in de_DE -> [minus  Euro und fünfzig Cent]
EUR 1.50 in de_DE -> [ein Euro und fünfzig Cent]
ordinal 0 in de_DE -> [te]
JPY 5 in fr_FR -> [cinq]
EUR 5 in fr_FR -> [cinq euros]
10.10 in fr_FR -> [dix virgule dix]
10.1 in fr_FR -> [dix virgule un]
USD 1.99 in en_US -> [one U.S. dollar and ninety-nine cents]
USD 1.999 in en_US -> []
USD 1,000.00 in en_US -> []
1,000 in en_US -> [one point zero zero zero]
+5 in en_US -> []
1e3 in en_US -> []
num2words: null Euro und fünfzig Cent | nullte
END
