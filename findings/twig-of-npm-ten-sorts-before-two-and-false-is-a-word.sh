#!/usr/bin/env bash
# twig 2.0.0 (npm), Twig templates in JavaScript.
# Behaviour: sort puts the numbers of a list in the order of their texts: 10 before 2 before 3; the values of a map are sorted as numbers. sort with an arrow gives nothing. false is printed as the
# word false and true as true, where Twig prints nothing and 1, so an attribute that a value should switch off has a word in it. 2 ** 3 ** 2 is taken from the left.
# Seen:   [3, 10, 2]|sort: 10,2,3 / {{ false }}: false / 2 ** 3 ** 2: 64
# Expected by most: 2,3,10, nothing, and 512, as Twig says.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund twig@2.0.0 2> /dev/null
cat > run.cjs <<'JS'
const { twig } = require('twig');
console.log('twig', require('./node_modules/twig/package.json').version);
const data = { prices: [3, 10, 2], map: { a: 10, b: 9 }, off: false, on: true };
for (const text of ["{{ prices|sort|join(',') }}", "{{ map|sort|keys|join(',') }}", '<b class="{{ off }}">', '{{ on }}', '{{ 2 ** 3 ** 2 }}', '{{ 7 // 2 }} {{ -7 // 2 }}',
  "{{ off ? 'x' : '' }}|{{ on ? 1 : '' }}", '{{ 2 ** (3 ** 2) }}', "{{ prices|sort((a, b) => a <=> b)|join(',') }}"]) {
  let got;
  try { got = twig({ data: text }).render(data); } catch { got = 'error'; }
  console.log(`${text}: ${got}`);
}
JS
node run.cjs 2>/dev/null | tee out
diff out - <<'END'
twig 2.0.0
{{ prices|sort|join(',') }}: 10,2,3
{{ map|sort|keys|join(',') }}: b,a
<b class="{{ off }}">: <b class="false">
{{ on }}: true
{{ 2 ** 3 ** 2 }}: 64
{{ 7 // 2 }} {{ -7 // 2 }}: 3 -4
{{ off ? 'x' : '' }}|{{ on ? 1 : '' }}: |1
{{ 2 ** (3 ** 2) }}: 512
{{ prices|sort((a, b) => a <=> b)|join(',') }}: 
END
