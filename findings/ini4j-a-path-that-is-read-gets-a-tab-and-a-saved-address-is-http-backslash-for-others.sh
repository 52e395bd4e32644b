#!/usr/bin/env bash
# ini4j 0.5.4 (org.ini4j; Debian 12 package libini4j-java 0.5.4-1): a file is read and stored; configparser of Python reads both files.
# Behaviour: values are read and written with the escapes of Java's property files, which INI files have not. A path of Windows that is read has a tab
# or a line break where \t or \n was and loses its other backslashes; a line that ends with a backslash takes the next setting as its end. When the file
# is stored, each = and : of a value gets a backslash, so an address or a time is another one for each other reader, and remarks change their sign.
# Seen:   C:\temp\new -> C:<tab>emp<line break>ew / url = http://x.de/?a=1 is stored as http\://x.de/?a\=1 / home = D:\ takes in the next line
# Expected by most: the same values, and a file that others read as before.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libini4j-java=0.5.4-1 > /dev/null 2>&1; dpkg-deb -x libini4j-java_*.deb unpacked
printf '%s\n' '[main]' '; a remark' 'path = C:\temp\new' 'share = \\srv\data' 'url = http://x.de/?a=1' 'time = 12:30' 'home = D:\' 'mode = fast' > a.ini
cat > Run.java <<'JAVA'
import java.io.File;
import org.ini4j.*;

public class Run {
  public static void main(String[] args) throws Exception {
    Ini file = new Ini(new File("a.ini"));
    for (String name : file.get("main").keySet()) {
      System.out.println("ini4j: " + name + " = " + file.get("main", name).replace("\t", "<tab>").replace("\n", "<line break>"));
    }
    file.store(new File("b.ini"));
  }
}
JAVA
cat > run.py <<'PY'
import configparser

for name in ('a.ini', 'b.ini'):
    reader = configparser.RawConfigParser()
    reader.read(name)
    print('configparser,', name + ':', dict(reader['main']))
PY
echo "ini4j $(dpkg-deb -f libini4j-java_*.deb Version)"
(java -cp unpacked/usr/share/java/ini4j.jar Run.java; sed 's/^/stored: /' b.ini | tr -d '\r'; python3 run.py) | tee out
diff out - <<'END'
ini4j: path = C:<tab>emp<line break>ew
ini4j: share = \srvdata
ini4j: url = http://x.de/?a=1
ini4j: time = 12:30
ini4j: home = D:mode = fast
stored: [main]
stored: # a remark
stored: path = C\:\temp\new
stored: share = \\srvdata
stored: url = http\://x.de/?a\=1
stored: time = 12\:30
stored: home = D\:mode \= fast
stored: 
configparser, a.ini: {'path': 'C:\\temp\\new', 'share': '\\\\srv\\data', 'url': 'http://x.de/?a=1', 'time': '12:30', 'home': 'D:\\', 'mode': 'fast'}
configparser, b.ini: {'path': 'C\\:\\temp\\new', 'share': '\\\\srvdata', 'url': 'http\\://x.de/?a\\=1', 'time': '12\\:30', 'home': 'D\\:mode \\= fast'}
END
