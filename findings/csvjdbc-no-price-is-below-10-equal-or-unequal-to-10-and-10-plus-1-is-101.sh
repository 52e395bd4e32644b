#!/usr/bin/env bash
# csvjdbc 1.0.37 (Debian 12 package libcsvjdbc-java 1.0.37-1), without and with inferred column types, against SQLite on the same rows.
# Behaviour: without column types each value is a text, which the manual says. But sum, avg and max then go three ways: SUM adds up the numbers, AVG
# leaves empty cells out while COUNT counts them, MAX compares letters. A comparison of a column with a number is neither true nor an error: no row is
# below 10, above 10, equal to 10 or unequal to 10, and a CASE always takes ELSE. price + 1 glues: 10 + 1 is 101. When types are inferred, the first
# row makes the column whole numbers, and SUM silently leaves out 2.5.
# Seen:   WHERE price < 10: no row; <> 10: no row / price + 1 of 10: 101 / SUM 118.5, inferred 116
# Expected by most: an error, or 2, 5 and 6; 11; 118.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libcsvjdbc-java=1.0.37-1 > /dev/null 2>&1; dpkg-deb -x libcsvjdbc-java_*.deb unpacked
printf '%s\n' id,price 1,10 2,9 3, 4,100 5,2.5 6,-3 > t.csv
cat > Run.java <<'JAVA'
import java.sql.*;
import java.util.Properties;

public class Run {
  public static void main(String[] args) throws Exception {
    for (String query : new String[] {"id FROM t WHERE price < 10", "id FROM t WHERE price = 10", "id FROM t WHERE price <> 10", "price + 1 FROM t",
        "CASE WHEN price > 9 THEN 'dear' ELSE 'cheap' END FROM t", "SUM(price), AVG(price), COUNT(price), MAX(price) FROM t"}) {
      ask("texts", new Properties(), query);
    }
    Properties infer = new Properties();
    infer.put("columnTypes", "");
    ask("inferred", infer, "SUM(price) FROM t");
  }

  static void ask(String name, Properties how, String query) throws Exception {
    StringBuilder line = new StringBuilder();
    try (Connection base = DriverManager.getConnection("jdbc:relique:csv:.", how); Statement asked = base.createStatement();
        ResultSet rows = asked.executeQuery("SELECT " + query)) {
      while (rows.next()) {
        for (int at = 1; at <= rows.getMetaData().getColumnCount(); at++) line.append(' ').append(rows.getString(at));
      }
    }
    System.out.println(name + ": " + query + " ->" + line);
  }
}
JAVA
cat > run.py <<'PY'
import csv
import sqlite3

base = sqlite3.connect(':memory:')
base.execute('CREATE TABLE t (id INTEGER, price NUMERIC)')
base.executemany('INSERT INTO t VALUES (?, ?)', [(one['id'], one['price'] or None) for one in csv.DictReader(open('t.csv'))])
for query in ('id FROM t WHERE price < 10', 'id FROM t WHERE price <> 10', 'price + 1 FROM t', 'SUM(price), AVG(price), COUNT(price), MAX(price) FROM t'):
    print('sqlite:', query, '->', *[value for row in base.execute('SELECT ' + query) for value in row])
PY
echo "csvjdbc $(dpkg-deb -f libcsvjdbc-java_*.deb Version)"
(java -cp unpacked/usr/share/java/csvjdbc.jar Run.java; python3 run.py) | tee out
diff out - <<'END'
texts: id FROM t WHERE price < 10 ->
texts: id FROM t WHERE price = 10 ->
texts: id FROM t WHERE price <> 10 ->
texts: price + 1 FROM t -> 101 91 1 1001 2.51 -31
texts: CASE WHEN price > 9 THEN 'dear' ELSE 'cheap' END FROM t -> cheap cheap cheap cheap cheap cheap
texts: SUM(price), AVG(price), COUNT(price), MAX(price) FROM t -> 118.5 23.7 6 9
inferred: SUM(price) FROM t -> 116
sqlite: id FROM t WHERE price < 10 -> 2 5 6
sqlite: id FROM t WHERE price <> 10 -> 2 4 5 6
sqlite: price + 1 FROM t -> 11 10 None 101 3.5 -2
sqlite: SUM(price), AVG(price), COUNT(price), MAX(price) FROM t -> 118.5 23.7 5 100
END
