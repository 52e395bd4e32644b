#!/usr/bin/env bash
# HtmlCleaner 2.26 (Debian 12 package libhtmlcleaner-java 2.26-1+deb12u1) against html5lib 1.1 (PyPI) for the text of the pages that it writes.
# Behaviour: CompactXmlSerializer, PrettyXmlSerializer and PrettyHtmlSerializer put line breaks around the tags within a line, and the two for XML take
# blanks there away. So "un<b>believ</b>able" is two words on the page or three, 50 with a bold 5 is 5 0 in the pretty XML, and "Total: 5" with a bold
# "Total:" is "Total:5" in the compact one. Code in <pre> loses its first indent, in pretty XML all indents and empty lines. getText() keeps &amp; as it
# is and glues what <br> parts. SimpleXmlSerializer leaves words whole.
# Seen:   un believable, un believ able / Total:5 / <pre> "  a\n\n  b" -> "a\n\n  b" and "a\n\tb" / getText: a &amp; b, onetwo
# Expected by most: the same words as in the page, and a & b.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libhtmlcleaner-java=2.26-1+deb12u1 libjdom2-java libjaxen-java > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check html5lib==1.1
cat > Run.java <<'JAVA'
import org.htmlcleaner.*;

public class Run {
  public static void main(String[] args) {
    for (String page : new String[] {"<p>un<b>believ</b>able</p>", "<p><b>Total:</b> 5</p>", "<p><b>5</b>0 EUR</p>", "<pre>  a\n\n  b</pre>"}) {
      HtmlCleaner cleaner = new HtmlCleaner();
      CleanerProperties how = cleaner.getProperties();
      how.setOmitXmlDeclaration(true);
      how.setOmitHtmlEnvelope(true);
      for (Serializer one : new Serializer[] {new SimpleXmlSerializer(how), new CompactXmlSerializer(how), new PrettyXmlSerializer(how),
          new PrettyHtmlSerializer(how)}) {
        String made = one.getAsString(cleaner.clean(page));
        System.out.println(one.getClass().getSimpleName() + "\t" + made.replace("\n", "\\n").replace("\t", "\\t"));
      }
    }
    for (String page : new String[] {"<p>a &amp; b</p>", "<p>one<br>two</p>"}) System.out.println("getText\t" + new HtmlCleaner().clean(page).getText());
  }
}
JAVA
cat > run.py <<'PY'
import sys
import html5lib

for line in sys.stdin:
    name, made = line.rstrip('\n').split('\t')
    text = ''
    if made.startswith(('<p', '<pre', '\\n')):
        tree = html5lib.parse(made.replace('\\n', '\n').replace('\\t', '\t'), namespaceHTMLElements=False)
        text = ''.join(tree.itertext()).strip('\n')
        text = ' is shown as ' + repr(text if '<pre' in made else ' '.join(text.split()))
    print(f'{name}: {made}{text}')
PY
echo "HtmlCleaner $(dpkg-deb -f libhtmlcleaner-java_*.deb Version)"
java -cp unpacked/usr/share/java/htmlcleaner.jar:unpacked/usr/share/java/jdom2.jar:unpacked/usr/share/java/jaxen.jar Run.java 2> /dev/null | env/bin/python run.py | tee out
diff out - <<'END'
SimpleXmlSerializer: <p>un<b>believ</b>able</p> is shown as 'unbelievable'
CompactXmlSerializer: <p>un\n<b>believ</b>able</p> is shown as 'un believable'
PrettyXmlSerializer: <p>\n\tun\n\t<b>believ</b>\n\table\n</p>\n is shown as 'un believ able'
PrettyHtmlSerializer: \n<p>un\n\t<b>believ</b>able\n</p>\n is shown as 'un believable'
SimpleXmlSerializer: <p><b>Total:</b> 5</p> is shown as 'Total: 5'
CompactXmlSerializer: <p><b>Total:</b>5</p> is shown as 'Total:5'
PrettyXmlSerializer: <p>\n\t<b>Total:</b>\n\t5\n</p>\n is shown as 'Total: 5'
PrettyHtmlSerializer: \n<p>\n\t<b>Total:</b>\n\t5\n\n</p>\n is shown as 'Total: 5'
SimpleXmlSerializer: <p><b>5</b>0 EUR</p> is shown as '50 EUR'
CompactXmlSerializer: <p><b>5</b>0 EUR</p> is shown as '50 EUR'
PrettyXmlSerializer: <p>\n\t<b>5</b>\n\t0 EUR\n</p>\n is shown as '5 0 EUR'
PrettyHtmlSerializer: \n<p>\n\t<b>5</b>0 EUR\n</p>\n is shown as '50 EUR'
SimpleXmlSerializer: <pre>  a\n\n  b</pre> is shown as '  a\n\n  b'
CompactXmlSerializer: <pre>a\n\n  b</pre> is shown as 'a\n\n  b'
PrettyXmlSerializer: <pre>\n\ta\n\tb\n</pre>\n is shown as '\ta\n\tb'
PrettyHtmlSerializer: \n<pre>  a\n\n  b</pre>\n is shown as '  a\n\n  b'
getText: a &amp; b
getText: onetwo
END
