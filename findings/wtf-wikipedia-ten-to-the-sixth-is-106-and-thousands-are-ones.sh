#!/usr/bin/env bash
# wtf_wikipedia 10.4.2 (npm), which makes text and JSON of Wikipedia's markup, default settings.
# Behaviour: a raised number is written beside the one before it: 10<sup>6</sup> is 106, 2<sup>32</sup> is 232. The template {{val|5.5|e=3|u=m}} keeps number and unit and loses its power of ten: 5,500 metres are 5.5 m.
# A percentage without a second number is NaN%, markup within <nowiki> is carried out, and &minus; stays as it is. The number in an infobox is 106, too.
# Seen:   10<sup>6</sup> people: 106 / {{val|5.5|e=3|u=m}}: 5.5 m / {{pct|5}}: NaN% / <nowiki>[[no]]</nowiki>: a link
# Expected by most: 10^6 or 10⁶, 5.5×10³ m, 5%, the text [[no]].
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts wtf_wikipedia@10.4.2
cat > run.mjs <<'JS'
import wtf from 'wtf_wikipedia';
for (const text of [
  'some 10<sup>6</sup> people', '2<sup>32</sup> addresses', 'H<sub>2</sub>O', '<math>10^6</math> people', 'depth {{val|5.5|e=3|u=m}}', 'depth {{val|5.5|u=m}}',
  '{{convert|5|km}} away', 'up {{pct|5}}', 'up {{percentage|1|3}}', 'at &minus;5 degrees', 'write <nowiki>[[no]] and {{val|1}}</nowiki> so',
]) console.log(`${text}: ${JSON.stringify(wtf(text).text())}`);
const box = wtf('{{Infobox company | name = A | count = 10<sup>6</sup> }}').infobox().json();
console.log(`infobox: count ${JSON.stringify(box.count.text)} ${JSON.stringify(box.count.number ?? null)}`);
JS
echo "wtf_wikipedia $(node -p "JSON.parse(require('fs').readFileSync('node_modules/wtf_wikipedia/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
some 10<sup>6</sup> people: "some 106 people"
2<sup>32</sup> addresses: "232 addresses"
H<sub>2</sub>O: "H2O"
<math>10^6</math> people: "10^6 people"
depth {{val|5.5|e=3|u=m}}: "depth 5.5 m"
depth {{val|5.5|u=m}}: "depth 5.5 m"
{{convert|5|km}} away: "5 km away"
up {{pct|5}}: "up NaN%"
up {{percentage|1|3}}: "up 33%"
at &minus;5 degrees: "at &minus;5 degrees"
write <nowiki>[[no]] and {{val|1}}</nowiki> so: "write no and 1 so"
infobox: count "106" 106
END
