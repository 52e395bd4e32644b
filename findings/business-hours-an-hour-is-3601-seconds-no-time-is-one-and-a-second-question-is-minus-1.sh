#!/usr/bin/env bash
# Business::Hours 0.13 (Perl; Debian 12 package libbusiness-hours-perl 0.13-2).
# Behaviour: between() counts the seconds of both ends, so from 9 to 10 is 3601 seconds and from 9:30 to 9:30 is one; but a whole day from 9 to 18 is
# 32400, since the last second of a day is no work. So two parts of a day are more than the day, and add_seconds(), which does not count so, brings
# back another time. The first call fixes the span of the object: each later question about another day is answered by -1, without an error.
# Seen:   9 to 10 -> 3601 / 9 to 18 -> 32400 / 9 to 12 and 12 to 18 -> 10801 + 21600 / 9:30 to 9:30 -> 1 / the next day, asked second -> -1
# Expected by most: 3600, 32400, 10800 + 21600, 0, 3600.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libbusiness-hours-perl=0.13-2 libset-intspan-perl=1.19-3 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PERL5LIB=$dir/unpacked/usr/share/perl5 TZ=UTC
cat > run.pl <<'PL'
use strict;
use warnings;
use Business::Hours;
use Time::Local;

sub at { my ($day, $time) = @_; my ($hour, $minute) = split /:/, $time; return timegm(0, $minute, $hour, $day, 11, 2026) }
for my $span ([1, '9:00', 1, '10:00'], [1, '9:00', 1, '12:00'], [1, '12:00', 1, '18:00'], [1, '9:00', 1, '18:00'], [1, '9:30', 1, '9:30'],
    [4, '17:00', 7, '10:00'], [1, '12:00', 3, '12:00']) {
    print "Dec $span->[0] $span->[1] to Dec $span->[2] $span->[3]: ", Business::Hours->new->between(at(@$span[0, 1]), at(@$span[2, 3])), "\n";
}
my $hours = Business::Hours->new;
print 'add 3601 seconds to Dec 1 9:00: ', scalar gmtime($hours->add_seconds(at(1, '9:00'), 3601)), "\n";
my $same = Business::Hours->new;
print 'one object, Dec 2 and then Dec 3, 9:00 to 10:00: ', join(' ', map { $same->between(at($_, '9:00'), at($_, '10:00')) } 2, 3), "\n";
PL
echo "Business::Hours $(perl -MBusiness::Hours -e 'print $Business::Hours::VERSION')"
perl run.pl | tee out
diff out - <<'END'
Dec 1 9:00 to Dec 1 10:00: 3601
Dec 1 9:00 to Dec 1 12:00: 10801
Dec 1 12:00 to Dec 1 18:00: 21600
Dec 1 9:00 to Dec 1 18:00: 32400
Dec 1 9:30 to Dec 1 9:30: 1
Dec 4 17:00 to Dec 7 10:00: 7201
Dec 1 12:00 to Dec 3 12:00: 64801
add 3601 seconds to Dec 1 9:00: Tue Dec  1 10:00:01 2026
one object, Dec 2 and then Dec 3, 9:00 to 10:00: 3601 -1
END
