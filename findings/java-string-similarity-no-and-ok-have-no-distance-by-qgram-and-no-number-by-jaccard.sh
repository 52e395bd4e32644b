#!/usr/bin/env bash
# java-string-similarity 2.0.0 (info.debatty; Debian 12 package libjava-string-similarity-java 2.0.0-1) against strsimpy 0.2.1 (PyPI), its port to Python.
# Behaviour: pieces have three letters by default. Two different texts that are both shorter than that have no piece, so their distance by QGram is 0, as
# if they were equal, while Jaccard and SorensenDice give NaN, as similarity and as distance: it is neither below nor above any limit, so a pair of
# codes, units or initials is in neither list. Cosine says 0 of 1 of the same pair. Blanks are joined before, so "a  b" equals "a b" for these four only.
# Seen:   no / ok: QGram 0.0, Jaccard NaN (below 0.5: false, 0.5 and above: false), Cosine 0.0 / strsimpy: 0 as well, but Jaccard 0.0
# Expected by most: a distance above 0 and a similarity of 0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libjava-string-similarity-java=2.0.0-1 libjcip-annotations-java > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check strsimpy==0.2.1
cat > Run.java <<'JAVA'
import info.debatty.java.stringsimilarity.*;

public class Run {
  public static void main(String[] args) {
    for (String[] two : new String[][] {{"no", "ok"}, {"12", "13"}, {"kg", "mg"}, {"12", "999"}, {"EUR", "USD"}, {"a  b", "a b"}}) {
      double jaccard = new Jaccard().similarity(two[0], two[1]);
      System.out.println(String.join(" / ", two) + ": QGram distance " + new QGram().distance(two[0], two[1]) + ", Jaccard " + jaccard
          + " (below 0.5: " + (jaccard < 0.5) + ", 0.5 and above: " + (jaccard >= 0.5) + "), distance " + new Jaccard().distance(two[0], two[1])
          + ", SorensenDice " + new SorensenDice().similarity(two[0], two[1]) + ", Cosine " + new Cosine().similarity(two[0], two[1])
          + ", Levenshtein " + new Levenshtein().distance(two[0], two[1]));
    }
  }
}
JAVA
cat > run.py <<'PY'
from strsimpy.jaccard import Jaccard
from strsimpy.qgram import QGram

for one, two in [('no', 'ok'), ('EUR', 'USD')]:
    try:
        alike = Jaccard(3).similarity(one, two)
    except ZeroDivisionError as error:
        alike = type(error).__name__
    print(f'strsimpy: {one} / {two}: QGram distance {QGram(3).distance(one, two)}, Jaccard {alike}')
PY
echo "java-string-similarity $(dpkg-deb -f libjava-string-similarity-java_*.deb Version)"
(java -cp unpacked/usr/share/java/java-string-similarity.jar:unpacked/usr/share/java/jcip-annotations.jar Run.java 2> /dev/null; env/bin/python run.py) | tee out
diff out - <<'END'
no / ok: QGram distance 0.0, Jaccard NaN (below 0.5: false, 0.5 and above: false), distance NaN, SorensenDice NaN, Cosine 0.0, Levenshtein 2.0
12 / 13: QGram distance 0.0, Jaccard NaN (below 0.5: false, 0.5 and above: false), distance NaN, SorensenDice NaN, Cosine 0.0, Levenshtein 1.0
kg / mg: QGram distance 0.0, Jaccard NaN (below 0.5: false, 0.5 and above: false), distance NaN, SorensenDice NaN, Cosine 0.0, Levenshtein 1.0
12 / 999: QGram distance 1.0, Jaccard 0.0 (below 0.5: true, 0.5 and above: false), distance 1.0, SorensenDice 0.0, Cosine 0.0, Levenshtein 3.0
EUR / USD: QGram distance 2.0, Jaccard 0.0 (below 0.5: true, 0.5 and above: false), distance 1.0, SorensenDice 0.0, Cosine 0.0, Levenshtein 3.0
a  b / a b: QGram distance 0.0, Jaccard 1.0 (below 0.5: false, 0.5 and above: true), distance 0.0, SorensenDice 1.0, Cosine 1.0, Levenshtein 1.0
strsimpy: no / ok: QGram distance 0, Jaccard 0.0
strsimpy: EUR / USD: QGram distance 2, Jaccard 0.0
END
