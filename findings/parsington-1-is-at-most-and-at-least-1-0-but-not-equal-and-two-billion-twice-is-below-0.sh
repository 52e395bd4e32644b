#!/usr/bin/env bash
# parsington 1.0.1 (org.scijava; Debian 12 package libparsington-java 1.0.1-1.1): its own evaluator.
# Behaviour: a whole number is never equal to one with a point: 1 == 1.0 is false and 1 != 1.0 true, though both 1 <= 1.0 and 1 >= 1.0 are true. So a
# condition as total / 2 == 3.5 fails, first because 7 / 2 is 3, and again with 3.5 * 2 == 7. Whole numbers turn round at 2147483647 without a word.
# A number that begins with 0 is octal. -2^2 is 4, but -(2)^2 is -4, as the sign belongs to a number and not to a bracket.
# Seen:   1 == 1.0 -> false / 3.5 * 2 == 7 -> false / 2000000000 + 2000000000 -> -294967296 / 010 + 1 -> 9 / -2^2 -> 4.0, -(2)^2 -> -4.0
# Expected by most: true, true, 4000000000, 11, and one answer for both squares.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libparsington-java=1.0.1-1.1 > /dev/null 2>&1; dpkg-deb -x libparsington-java_*.deb unpacked
cat > Run.java <<'JAVA'
public class Run {
  public static void main(String[] args) {
    for (String text : new String[] {"1 == 1.0", "1 != 1.0", "1 <= 1.0", "1 >= 1.0", "3.5 * 2 == 7", "7 / 2", "7 / 2 == 3.5", "2000000000 + 2000000000",
        "3000000000 + 1", "010 + 1", "-2^2", "-(2)^2", "0 - 2^2", "1 / 2 * 4"}) {
      System.out.println(text + " -> " + new org.scijava.parse.eval.DefaultEvaluator().evaluate(text));
    }
  }
}
JAVA
cat > run.py <<'PY'
print('Python:', 1 == 1.0, 3.5 * 2 == 7, 7 / 2 == 3.5, 2000000000 + 2000000000, -2**2, -(2)**2)
PY
echo "parsington $(dpkg-deb -f libparsington-java_*.deb Version)"
(java -cp unpacked/usr/share/java/parsington.jar Run.java; python3 run.py) | tee out
diff out - <<'END'
1 == 1.0 -> false
1 != 1.0 -> true
1 <= 1.0 -> true
1 >= 1.0 -> true
3.5 * 2 == 7 -> false
7 / 2 -> 3
7 / 2 == 3.5 -> false
2000000000 + 2000000000 -> -294967296
3000000000 + 1 -> 3000000001
010 + 1 -> 9
-2^2 -> 4.0
-(2)^2 -> -4.0
0 - 2^2 -> -4.0
1 / 2 * 4 -> 0
Python: True True True 4000000000 -4 -4
END
