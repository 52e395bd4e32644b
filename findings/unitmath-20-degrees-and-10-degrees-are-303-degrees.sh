#!/usr/bin/env bash
# unitmath 0.8.8 (npm) and measurement 3.2.2 (PyPI), which compute with quantities in any units, default settings.
# Behaviour: in both, degrees Celsius and Fahrenheit are turned into kelvins first, also where two are added or one is doubled, and only the result is turned back. So 20 degC and 10 degC make 303.15 degC, a difference of 20 degrees
# is -253.15 degC (as kelvins it is 20 K), and twice 20 degC is 313.15 degC. The mean of 20 degC and 30 degC by (a + b) / 2 is right, so the rule does not show there.
# Seen:   20 degC add 10 degC: 303.15 degC / 30 degC sub 10 degC: -253.15 degC / 20 degC mul 2: 313.15 degC
# Expected by most: 30 degC, 20 degrees, 40 degC; or an error, as pint gives.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund unitmath@0.8.8
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check measurement==3.2.2
cat > run.mjs <<'JS'
import unit from 'unitmath';
for (const [one, step, other] of [
  ['20 degC', 'add', '10 degC'], ['20 degC', 'add', '5 K'], ['30 degC', 'sub', '10 degC'], ['68 degF', 'sub', '50 degF'], ['20 degC', 'mul', 2], ['300 degC', 'abs'], ['5 m', 'add', '10 cm'],
]) {
  const result = other === undefined ? unit(one)[step]() : unit(one)[step](other);
  console.log(`${one} ${step} ${other ?? ''}: ${result.toString()}${step === 'sub' ? `, as kelvins ${result.to('K').toString()}` : ''}`);
}
console.log(`mean of 20 degC and 30 degC: ${unit('20 degC').add('30 degC').div(2).toString()}`);
console.log(`20 degC to degF: ${unit('20 degC').to('degF').format({ precision: 4 })}, 5 J/degC: ${unit('5 J/degC').to('J/K').toString()}`);
JS
cat > run.py <<'PY'
from measurement.measures import Temperature
print('measurement: 20 and 10', (Temperature(c=20) + Temperature(c=10)).c, '/ 30 less 10', round((Temperature(c=30) - Temperature(c=10)).c, 2), '/ twice 20', (Temperature(c=20) * 2).c)
PY
echo "unitmath $(node -p "JSON.parse(require('fs').readFileSync('node_modules/unitmath/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
20 degC add 10 degC: 303.15 degC
20 degC add 5 K: 25 degC
30 degC sub 10 degC: -253.15 degC, as kelvins 20 K
68 degF sub 50 degF: -441.67 degF, as kelvins 10 K
20 degC mul 2: 313.15 degC
300 degC abs : 300 degC
5 m add 10 cm: 5.1 m
mean of 20 degC and 30 degC: 25 degC
20 degC to degF: 68 degF, 5 J/degC: 5 J / K
measurement: 20 and 10 303.15 / 30 less 10 -253.15 / twice 20 313.15
END
