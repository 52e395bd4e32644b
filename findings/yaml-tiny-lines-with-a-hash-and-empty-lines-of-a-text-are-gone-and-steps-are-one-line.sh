#!/usr/bin/env bash
# YAML::Tiny 1.73 (Perl; Debian 12 package libyaml-tiny-perl 1.73-1) against PyYAML 6.0.2 (PyPI).
# Behaviour: its manual names | and > among what it supports. But remarks and empty lines are struck out of the file before the text of a block is read,
# so a script under | comes without its first line #!/bin/sh, without its comments and without its empty lines; a line # Title of Markdown is gone, and a
# # within a line stays. Under > all paragraphs become one line, and so do lines with a deeper indent, such as steps. "\u00e9" stays as six letters.
# Seen:   "#!/bin/sh\n# stop first\nstop\n\nstart #1\n" is read as "stop\nstart #1\n" / "one\n\ntwo\n" under > as "one two\n"
# Expected by most: the text as it stands, or an error as for other things that it does not support.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq libyaml-tiny-perl=1.73-1 > /dev/null 2>&1; dpkg-deb -x libyaml-tiny-perl_*.deb unpacked
export PERL5LIB=$dir/unpacked/usr/share/perl5
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check PyYAML==6.0.2
cat > a.yaml <<'YAML'
script: |
  #!/bin/sh
  # stop first
  stop

  start #1
page: |
  # Title

  First paragraph.

  Second paragraph.
note: >
  one

  two
steps: >
  Do:
    - stop
    - start
word: "caf\u00e9"
YAML
cat > run.pl <<'PL'
use strict;
use warnings;
use YAML::Tiny;

my $data = YAML::Tiny->read('a.yaml')->[0];
for my $name (qw(script page note steps word)) {
    (my $text = $data->{$name}) =~ s/\n/\\n/g;
    print "YAML::Tiny: $name = [$text]\n";
}
PL
cat > run.py <<'PY'
import yaml

for name, text in yaml.safe_load(open('a.yaml')).items():
    print('PyYAML:', name, '= [' + text.replace('\n', '\\n') + ']')
PY
echo "YAML::Tiny $(perl -MYAML::Tiny -e 'print $YAML::Tiny::VERSION')"
(perl run.pl; PYTHONIOENCODING=utf-8 env/bin/python run.py) | tee out
diff out - <<'END'
YAML::Tiny: script = [stop\nstart #1\n]
YAML::Tiny: page = [First paragraph.\nSecond paragraph.\n]
YAML::Tiny: note = [one two\n]
YAML::Tiny: steps = [Do:   - stop   - start\n]
YAML::Tiny: word = [caf\u00e9]
PyYAML: script = [#!/bin/sh\n# stop first\nstop\n\nstart #1\n]
PyYAML: page = [# Title\n\nFirst paragraph.\n\nSecond paragraph.\n]
PyYAML: note = [one\ntwo\n]
PyYAML: steps = [Do:\n  - stop\n  - start\n]
PyYAML: word = [café]
END
