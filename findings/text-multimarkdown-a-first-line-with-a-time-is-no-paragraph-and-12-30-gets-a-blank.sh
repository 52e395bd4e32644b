#!/usr/bin/env bash
# Text::MultiMarkdown 1.000035 (Perl; Debian 12 package libtext-multimarkdown-perl 1.000035-3) against markdown-it-py 3.0.0 (PyPI).
# Behaviour: if the first line of a text has a colon, its first paragraph is taken for metadata, as the manual says of lines such as Title: A. But any
# colon will do, also of a time, an address or a sentence; the paragraph is put out as it is, without <p>, with the stars of bold words and with < and &
# bare, and each line with a colon gets a blank behind it: 12:30 becomes 12: 30 and http://x.de becomes http: //x.de. A line without one joins the last.
# The same line as a second paragraph is right.
# Seen:   "12:30 lunch with **Bob**" -> "12: 30 lunch with **Bob**<br />" / "http://x.de/a is new" -> "http: //x.de/a is new<br />"
# Expected by most: a paragraph with 12:30 and a bold Bob.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
for one in libtext-multimarkdown-perl=1.000035-3 libtext-markdown-perl libhtml-parser-perl libhtml-tagset-perl liburi-perl libregexp-ipv6-perl; do
  apt-get download -qq "$one" > /dev/null 2>&1
done
for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PERL5LIB=$dir/unpacked/usr/share/perl5:$(ls -d "$dir"/unpacked/usr/lib/*/perl5/5.*)
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check markdown-it-py==3.0.0
cat > texts.txt <<'TXT'
12:30 lunch with **Bob**\n\nThen work.
http://x.de/a is new\n\nRead it.
We need two things: salt & **milk**\nand a < b\n\nRest.
First.\n\n12:30 lunch with **Bob**
TXT
cat > run.pl <<'PL'
use strict;
use warnings;
use Text::MultiMarkdown;

open my $file, '<', 'texts.txt' or die;
while (my $text = <$file>) {
    chomp $text;
    (my $plain = $text) =~ s/\\n/\n/g;
    (my $html = Text::MultiMarkdown->new->markdown("$plain\n")) =~ s/\n/\\n/g;
    print "Text::MultiMarkdown: $html\n";
}
PL
cat > run.py <<'PY'
from markdown_it import MarkdownIt

for text in open('texts.txt').read().splitlines():
    print('markdown-it-py:', MarkdownIt().render(text.replace('\\n', '\n')).replace('\n', '\\n'))
PY
echo "Text::MultiMarkdown $(perl -MText::MultiMarkdown -e 'print $Text::MultiMarkdown::VERSION')"
(perl run.pl; env/bin/python run.py) | tee out
diff out - <<'END'
Text::MultiMarkdown: 12: 30 lunch with **Bob**<br />\n\n<p>Then work.</p>\n
Text::MultiMarkdown: http: //x.de/a is new<br />\n\n<p>Read it.</p>\n
Text::MultiMarkdown: We need two things: salt & **milk**<br />\nand a < b<br />\n\n<p>Rest.</p>\n
Text::MultiMarkdown: <p>First.</p>\n\n<p>12:30 lunch with <strong>Bob</strong></p>\n
markdown-it-py: <p>12:30 lunch with <strong>Bob</strong></p>\n<p>Then work.</p>\n
markdown-it-py: <p>http://x.de/a is new</p>\n<p>Read it.</p>\n
markdown-it-py: <p>We need two things: salt &amp; <strong>milk</strong>\nand a &lt; b</p>\n<p>Rest.</p>\n
markdown-it-py: <p>First.</p>\n<p>12:30 lunch with <strong>Bob</strong></p>\n
END
