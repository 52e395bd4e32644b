#!/usr/bin/env bash
# discount 2.2.7-2 with libmarkdown2 2.2.7-2 (Debian 12), the command "markdown"; markdown-it-py 4.0.0 (PyPI), given the same text.
# Behaviour: without any option, two numbers with a stroke become a fraction also where they begin a date: 1/2/2026 is "half/2026" and 3/4/26 is "three
# quarters/26", while 11/2/2026 stays. A third point that is named (c) is a copyright sign, and two hyphens of an option are a dash, so a command that is
# not marked as code can not be copied. Bullets below a numbered list go on with its numbers, also after an empty line, and a list that begins at 10 is 1.
# Seen:   due &frac12;/2026 / (a) red (b) blue &copy; green / run &ndash;force / <ol> with four steps, where two are bullets
# Expected by most: the words as they are, and a list of two steps and one of two bullets.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
apt-get download -qq discount=2.2.7-2 libmarkdown2=2.2.7-2 > /dev/null 2>&1; for one in *.deb; do dpkg-deb -x "$one" unpacked; done
export PATH=$dir/unpacked/usr/bin:$PATH LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'libmarkdown.so.2' | head -n 1)")
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check markdown-it-py==4.0.0
cat > a.md <<'MD'
Due 1/2/2026 or 3/4/26, not 11/2/2026.

Choose (a) red (b) blue (c) green and run --force.

10. wash
11. dry

* no soap
* no heat
MD
cat > other.py <<'PY'
from markdown_it import MarkdownIt

print('--- markdown-it-py\n' + MarkdownIt().render(open('a.md').read()).strip())
PY
markdown -V
(markdown a.md | grep .; env/bin/python other.py) | tee out
diff out - <<'END'
<p>Due &frac12;/2026 or &frac34;/26, not 11/2/2026.</p>
<p>Choose (a) red (b) blue &copy; green and run &ndash;force.</p>
<ol>
<li>wash</li>
<li><p>dry</p></li>
<li><p>no soap</p></li>
<li>no heat</li>
</ol>
--- markdown-it-py
<p>Due 1/2/2026 or 3/4/26, not 11/2/2026.</p>
<p>Choose (a) red (b) blue (c) green and run --force.</p>
<ol start="10">
<li>wash</li>
<li>dry</li>
</ol>
<ul>
<li>no soap</li>
<li>no heat</li>
</ul>
END
