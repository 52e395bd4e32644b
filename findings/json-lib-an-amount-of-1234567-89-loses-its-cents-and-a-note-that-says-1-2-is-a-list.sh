#!/usr/bin/env bash
# json-lib 2.4 (net.sf.json; Debian 12 package libjson-java 2.4-3.1) against gson 2.10 (libgoogle-gson-java 2.10-1).
# Behaviour: a number with a fraction is read with the precision of a float of 32 bits when it fits its range, so an amount above about a hundred
# thousand loses its cents when a text is read and written. The text "null" comes back with quotes in it, and in getString too. A name that comes
# twice makes a list of both. A Java string that is put into an object is read as JSON if it looks so: a note of [1, 2] becomes a list, {} an object,
# and a person named null has no name; the same text that stands in a JSON document stays a text.
# Seen:   1234567.89 -> 1234567.9 / 100000000.1 -> 1.0E8 / "null" -> "\"null\"" / put("note", "[1, 2]") -> [1,2]
# Expected by most: 1234567.89, 100000000.1, "null", "[1, 2]".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libjson-java=2.4-3.1 libcommons-lang-java libcommons-beanutils-java libcommons-collections3-java libcommons-logging-java \
  libezmorph-java libgoogle-gson-java=2.10-1 > /dev/null 2>&1
for one in *.deb; do dpkg-deb -x "$one" unpacked; done
cat > Run.java <<'JAVA'
import net.sf.json.JSONObject;

public class Run {
  public static void main(String[] args) {
    for (String text : new String[] {
        "{\"total\":1234567.89,\"large\":100000000.1,\"lon\":13.4049544444,\"price\":19.99}",
        "{\"name\":\"null\",\"note\":\"[1, 2]\"}",
        "{\"tag\":\"a\",\"tag\":\"b\"}"}) {
      System.out.println("json-lib: " + JSONObject.fromObject(text));
      try {
        System.out.println("gson:     " + com.google.gson.JsonParser.parseString(text));
      } catch (RuntimeException error) {
        System.out.println("gson:     refuses it");
      }
    }
    System.out.println("getString: " + JSONObject.fromObject("{\"name\":\"null\"}").getString("name"));
    JSONObject made = new JSONObject();
    made.put("name", "null");
    made.put("note", "[1, 2]");
    made.put("draft", "[draft]");
    made.put("code", "{}");
    made.put("total", 1234567.89);
    System.out.println("put: " + made);
  }
}
JAVA
jars=$(find unpacked/usr/share/java -name '*.jar' | grep -E '/(json-lib|commons-lang|commons-beanutils|commons-collections3|commons-logging|ezmorph|gson)\.jar$' | sort | tr '\n' ':')
echo "json-lib $(dpkg-deb -f libjson-java_*.deb Version)"
java -cp "$jars" Run.java 2> /dev/null | tee out
diff out - <<'END'
json-lib: {"total":1234567.9,"large":1.0E8,"lon":13.404955,"price":19.99}
gson:     {"total":1234567.89,"large":100000000.1,"lon":13.4049544444,"price":19.99}
json-lib: {"name":"\"null\"","note":"[1, 2]"}
gson:     {"name":"null","note":"[1, 2]"}
json-lib: {"tag":["a","b"]}
gson:     {"tag":"b"}
getString: "null"
put: {"name":null,"note":[1,2],"draft":"[draft]","code":{},"total":1234567.89}
END
