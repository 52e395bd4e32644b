#!/usr/bin/env bash
# t-digest 3.0 (com.tdunning; Debian 12 package libt-digest-java 1:3.0-3), both of its digests, against a count of the values.
# Behaviour: cdf(x) shall give the share of values that are at most x. Of two values it gives minus a quarter at the lower one, so a share below nought,
# and a quarter at the greatest, where all values are counted. Of four values the greatest has 0.625, as three quarters of a gap are missing; of ten
# values 0.85, and the ninth has the same share as the eighth. A little above the greatest value it is still 0.255. quantile() is right all the same.
# Seen:   10, 20: cdf(10) = -0.25, cdf(20) = 0.25, cdf(20.1) = 0.255 / 1 to 4: 0.125 0.375 0.375 0.625 / the median is 15.0 and 2.5
# Expected by most: 0.5 and 1 (or 0.25 and 0.75), and never less than 0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libt-digest-java=1:3.0-3 > /dev/null 2>&1; dpkg-deb -x libt-digest-java_*.deb unpacked
cat > Run.java <<'JAVA'
import com.tdunning.math.stats.TDigest;
import java.util.*;

public class Run {
  public static void main(String[] args) {
    for (double[] values : new double[][] {{10, 20}, {1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 1, 1, 100}}) {
      for (TDigest digest : List.of(TDigest.createTreeDigest(100), TDigest.createArrayDigest(100))) {
        StringBuilder line = new StringBuilder(digest.getClass().getSimpleName() + " of " + Arrays.toString(values) + ": cdf");
        for (double value : values) digest.add(value);
        for (double value : values) line.append(' ').append(Math.round(digest.cdf(value) * 1000) / 1000.0);
        double last = values[values.length - 1];
        System.out.println(line + ", a little above the greatest " + digest.cdf(last + 0.1) + ", median " + digest.quantile(0.5));
      }
      StringBuilder counted = new StringBuilder("counted:");
      for (double value : values) counted.append(' ').append(Arrays.stream(values).filter(one -> one <= value).count() / (double) values.length);
      System.out.println(counted);
    }
  }
}
JAVA
echo "t-digest $(dpkg-deb -f libt-digest-java_*.deb Version)"
java -cp unpacked/usr/share/java/t-digest.jar Run.java | tee out
diff out - <<'END'
TreeDigest of [10.0, 20.0]: cdf -0.25 0.25, a little above the greatest 0.25500000000000006, median 15.0
ArrayDigest of [10.0, 20.0]: cdf -0.25 0.25, a little above the greatest 0.25500000000000006, median 15.0
counted: 0.5 1.0
TreeDigest of [1.0, 2.0, 3.0, 4.0]: cdf 0.125 0.375 0.375 0.625, a little above the greatest 0.6499999999999999, median 2.5
ArrayDigest of [1.0, 2.0, 3.0, 4.0]: cdf 0.125 0.375 0.375 0.625, a little above the greatest 0.6499999999999999, median 2.5
counted: 0.25 0.5 0.75 1.0
TreeDigest of [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]: cdf 0.05 0.15 0.25 0.35 0.45 0.55 0.65 0.75 0.75 0.85, a little above the greatest 0.86, median 5.5
ArrayDigest of [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]: cdf 0.05 0.15 0.25 0.35 0.45 0.55 0.65 0.75 0.75 0.85, a little above the greatest 0.86, median 5.5
counted: 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0
TreeDigest of [1.0, 1.0, 1.0, 100.0]: cdf 0.375 0.375 0.375 0.625, a little above the greatest 0.6252525252525252, median 1.0
ArrayDigest of [1.0, 1.0, 1.0, 100.0]: cdf 0.375 0.375 0.375 0.625, a little above the greatest 0.6252525252525252, median 1.0
counted: 0.75 0.75 0.75 1.0
END
