#!/usr/bin/env bash
# Math::Calc::Units 1.07 (Perl; Debian 12 package libmath-calc-units-perl 1.07-2.1).
# Behaviour: the s of a plural is taken off each unit, so a unit that is only s becomes an empty one: 3600 s is 3600 of nothing, 10 MB / 5 s are 2 MB by
# nothing, and 1 sec + 1 s can not be added, though ms and us are known. Classes lose their end too: 3 buses are 3 buse. A small b is a byte like B, so 8
# Mb are 8 megabytes, eight times too many, while bits and Mbps are bits; and 1 Mbps is 1048576 bits a second, 128 kilobytes. h, d and hr are unknown
# units of the user, so a total in them stays beside the one in hours.
# Seen:   3600 s -> "3600 " / 10 MB / 5 s -> "2.0972e+06 byte / " / 8 Mb -> 8.3886e+06 byte / 1 Mbps -> 1.3107e+05 byte / sec
# Expected by most: 1 hour, 2 megabyte / sec, 1 megabyte or 1000000 byte, 125000 byte / sec.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libmath-calc-units-perl=1.07-2.1 > /dev/null 2>&1; dpkg-deb -x libmath-calc-units-perl_*.deb unpacked
export PERL5LIB=$dir/unpacked/usr/share/perl5
cat > run.pl <<'PL'
use strict;
use warnings;
use Math::Calc::Units qw(calc);

for my $text ('3600 s', '3600 sec', '5 ms', '10 MB / 5 s', '10 MB / 5 sec', '1 sec + 1 s', '3 buses', '2 glasses', '8 MB', '8 Mb', '24 b', '24 bits',
    '1 Mbps', '90 min', '2 hr', '2 hours') {
    my $value = eval { my @parts = calc($text); "@parts" };
    print "$text -> ", defined $value ? "[$value]" : 'an error', "\n";
}
PL
echo "Math::Calc::Units $(dpkg-deb -f libmath-calc-units-perl_*.deb Version)"
perl run.pl 2> /dev/null | tee out
diff out - <<'END'
3600 s -> [3600 ]
3600 sec -> [3600 sec]
5 ms -> [0.005 sec]
10 MB / 5 s -> [2.0972e+06 byte / ]
10 MB / 5 sec -> [2.0972e+06 byte / sec]
1 sec + 1 s -> an error
3 buses -> [3 buse]
2 glasses -> [2 glasse]
8 MB -> [8.3886e+06 byte]
8 Mb -> [8.3886e+06 byte]
24 b -> [24 byte]
24 bits -> [3 byte]
1 Mbps -> [1.3107e+05 byte / sec]
90 min -> [5400 sec]
2 hr -> [2 hr]
2 hours -> [7200 sec]
END
