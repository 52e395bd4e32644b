#!/usr/bin/env bash
# DateTime::Format::Human::Duration 0.64 (Perl; Debian 12 package libdatetime-format-human-duration-perl 0.64-2).
# Behaviour: the signs of the parts are dropped, so a month less three days, a valid duration, is told as a month and three days. If single units are
# asked for, what the duration holds in larger ones is left out: from 1 January to 1 February is "no time" in days, and 31 days and 22 hours are "22
# hours" in hours. Precision of days does not change that. Weeks and days are the exception, as are hours and minutes.
# Seen:   months 1, days -3 -> 1 month and 3 days / 1 January to 1 February in days -> no time / 10 days and 5 hours in hours -> 5 hours
# Expected by most: 1 month less 3 days, or 27 or 28 days / 31 days / 245 hours.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
for one in libalgorithm-c3-perl libb-hooks-op-check-perl libdynaloader-functions-perl libdevel-callchecker-perl libparams-classify-perl libmodule-runtime-perl libtry-tiny-perl libmodule-implementation-perl libsub-exporter-progressive-perl libvariable-magic-perl libb-hooks-endofscope-perl libclass-c3-perl libclass-data-inheritable-perl libclass-inspector-perl libclass-method-modifiers-perl libclass-singleton-perl libparams-util-perl libsub-install-perl libdata-optlist-perl libfile-sharedir-perl libpackage-stash-perl libsub-identify-perl libsub-name-perl libnamespace-clean-perl libnamespace-autoclean-perl libsub-exporter-perl libeval-closure-perl libdevel-stacktrace-perl libexception-class-perl libparams-validationcompiler-perl libmro-compat-perl librole-tiny-perl libsub-quote-perl libxstring-perl libspecio-perl libdatetime-locale-perl libdatetime-timezone-perl libdatetime-perl; do apt-get download -qq "$one" > /dev/null 2>&1; done
apt-get download -qq libdatetime-format-human-duration-perl=0.64-2 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PERL5LIB=$dir/unpacked/usr/share/perl5:$(ls -d "$dir"/unpacked/usr/lib/*/perl5/5.*)
cat > run.pl <<'PL'
use strict;
use warnings;
use DateTime;
use DateTime::Format::Human::Duration;

my $words = DateTime::Format::Human::Duration->new;
sub part { return DateTime::Duration->new(@_) }
sub day { return DateTime->new(year => 2026, month => $_[0], day => $_[1], hour => $_[2] // 0) }
print 'months 1, days -3: ', $words->format_duration(part(months => 1, days => -3)), "\n";
print 'the same added to 1 March: ', (day(3, 1) + part(months => 1, days => -3))->ymd, "\n";
print 'days 10, hours 5, in hours: ', $words->format_duration(part(days => 10, hours => 5), units => ['hours']), "\n";
print 'months 14, in days: ', $words->format_duration(part(months => 14), units => ['days']), "\n";
print 'minutes 150, in hours: ', $words->format_duration(part(minutes => 150), units => ['hours']), "\n";
print '1 January to 1 February, in days: ', $words->format_duration_between(day(1, 1), day(2, 1), units => ['days']), "\n";
print '1 January 10:00 to 1 February 8:00, in hours: ', $words->format_duration_between(day(1, 1, 10), day(2, 1, 8), units => ['hours']), "\n";
print '1 January to 1 February: ', $words->format_duration_between(day(1, 1), day(2, 1)), "\n";
print 'counted by DateTime: ', day(1, 1)->delta_days(day(2, 1))->in_units('days'), " days\n";
PL
echo "DateTime::Format::Human::Duration $(dpkg-deb -f libdatetime-format-human-duration-perl_*.deb Version)"
perl run.pl | tee out
diff out - <<'END'
months 1, days -3: 1 month and 3 days
the same added to 1 March: 2026-03-26
days 10, hours 5, in hours: 5 hours
months 14, in days: no time
minutes 150, in hours: 2 hours
1 January to 1 February, in days: no time
1 January 10:00 to 1 February 8:00, in hours: 22 hours
1 January to 1 February: 1 month
counted by DateTime: 31 days
END
