#!/usr/bin/env bash
# Number::Format 1.75 (Perl; Debian 12 package libnumber-format-perl 1.75-3).
# Behaviour: unformat_number strikes out what is no digit and puts the rest together. The e of an exponent goes, so 1.5e3, as Perl itself writes large
# numbers, is 1.53 and 1e-2 is -12; of a date the digits become one number, with a minus sign; 5 - 3 is -53. A size is read when K stands alone, but
# 5 KB is 5. format_number leaves small numbers in Perl's own notation, below 0 rounds to -0, and format_bytes says 1,024K where it could say 1M.
# Seen:   1.5e3 -> 1.53 / 1e-2 -> -12 / 2026-12-01 -> -20261201 / 5K -> 5120, 5 KB -> 5 / format_number(0.00001, 6) -> 1e-05 / -0.001 -> -0
# Expected by most: 1500, 0.01, no number, 5120, 0.00001, 0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libnumber-format-perl=1.75-3 > /dev/null 2>&1; dpkg-deb -x libnumber-format-perl_*.deb unpacked
export PERL5LIB=$dir/unpacked/usr/share/perl5
cat > run.pl <<'PL'
use strict;
use warnings;
use Number::Format;

my $format = Number::Format->new;
for my $text ('1,234.50', '1.5e3', '1e3', '1e-2', '2.5E+10', '5K', '5 KB', '2026-12-01', '5 - 3', '12 of 15') {
    my $value = $format->unformat_number($text);
    print "unformat_number('$text') -> ", $value // 'undef', "\n";
}
print 'what Perl writes itself, read again: ', 12345678901234567890 * 10, ' -> ', $format->unformat_number(12345678901234567890 * 10), "\n";
print "format_number(0.00001, 6) -> ", $format->format_number(0.00001, 6), "\n";
print "format_number(-0.001) -> ", $format->format_number(-0.001), "\n";
print "format_bytes(1048575) -> ", $format->format_bytes(1048575), "\n";
print 'Perl: ', '1.5e3' + 0, ' ', '1e-2' + 0, ' ', sprintf('%.6f', 0.00001), "\n";
PL
echo "Number::Format $(perl -MNumber::Format -e 'print $Number::Format::VERSION')"
perl run.pl | tee out
diff out - <<'END'
unformat_number('1,234.50') -> 1234.5
unformat_number('1.5e3') -> 1.53
unformat_number('1e3') -> 13
unformat_number('1e-2') -> -12
unformat_number('2.5E+10') -> 2.51
unformat_number('5K') -> 5120
unformat_number('5 KB') -> 5
unformat_number('2026-12-01') -> -20261201
unformat_number('5 - 3') -> -53
unformat_number('12 of 15') -> 1215
what Perl writes itself, read again: 1.23456789012346e+20 -> 1.23456789012346
format_number(0.00001, 6) -> 1e-05
format_number(-0.001) -> -0
format_bytes(1048575) -> 1,024K
Perl: 1500 0.01 0.000010
END
