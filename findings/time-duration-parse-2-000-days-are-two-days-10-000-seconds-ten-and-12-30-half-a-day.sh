#!/usr/bin/env bash
# Time::Duration::Parse 0.16 (Perl; Debian 12 package libtime-duration-parse-perl 0.16-1) against pytimeparse2 1.7.1 (PyPI).
# Behaviour: a comma within a number is a decimal sign, so 2,000 days are two days and 1,500 seconds are two, without an error; a comma between two parts
# is none. 12:30 is twelve hours and a half, so 90:00 is 90 hours, where others read minutes and seconds. M is a month and m a minute, and parts of a
# second are rounded: 2.4 s are 2, and 0.4 s are none.
# Seen:   2,000 days -> 172800 / 1,500 seconds -> 2 / 10,000 -> 10 / 90:00 -> 324000 / 5 M -> 12960000, 5 m -> 300
# Expected by most: 172800000, 1500, 10000, 5400.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libtime-duration-parse-perl=0.16-1 libexporter-lite-perl > /dev/null 2>&1 || apt-get download -qq libtime-duration-parse-perl=0.16-1 > /dev/null 2>&1
for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PERL5LIB=$dir/unpacked/usr/share/perl5
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pytimeparse2==1.7.1
cat > run.pl <<'PL'
use strict;
use warnings;
use Time::Duration::Parse;

for my $text ('2000 days', '2,000 days', '1500 seconds', '1,500 seconds', '10,000', '1,5 hours', '1 hour, 30 minutes', '12:30', '90:00', '5 M', '5 m',
    '2.4 s', '0.4 s') {
    my $seconds = eval { parse_duration($text) };
    print "$text -> ", $seconds // 'an error', "\n";
}
PL
cat > run.py <<'PY'
import pytimeparse2

for text in ('2,000 days', '90:00', '2.4 s'):
    print('pytimeparse2:', text, '->', pytimeparse2.parse(text))
PY
echo "Time::Duration::Parse $(perl -MTime::Duration::Parse -e 'print $Time::Duration::Parse::VERSION')"
(perl run.pl; env/bin/python run.py) | tee out
diff out - <<'END'
2000 days -> 172800000
2,000 days -> 172800
1500 seconds -> 1500
1,500 seconds -> 2
10,000 -> 10
1,5 hours -> 5400
1 hour, 30 minutes -> 5400
12:30 -> 45000
90:00 -> 324000
5 M -> 12960000
5 m -> 300
2.4 s -> 2
0.4 s -> 0
pytimeparse2: 2,000 days -> None
pytimeparse2: 90:00 -> 5400
pytimeparse2: 2.4 s -> 2.4
END
