#!/usr/bin/env bash
# metar-taf-parser 9.1.3 (npm) and metar-taf-parser-mivek 1.13.1 (PyPI) against metar 2.0.2 (PyPI): airport weather reports.
# Behaviour: wind is read as two digits of speed. A storm of 100 knots has three, which the American rules for such reports ask for; the third digit and
# the gusts behind it are dropped, and the storm is a wind of 10 knots. A range of sight along a runway that begins "below 600 feet" (M0600V1200FT) is
# dropped, and so is a visibility of 3/16 of a mile. Nothing is told in any of these.
# Seen:   280100G120KT: 10 KT and no gust in both / R28R/M0600V1200FT: no runway in both / 3/16SM: no visibility in both
# Expected by most: 100 knots with gusts of 120, one runway, and 3/16 of a mile, as metar says.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts metar-taf-parser@9.1.3 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check metar-taf-parser-mivek==1.13.1 metar==2.0.2
cat > run.mjs <<'JS'
import { parseMetar } from 'metar-taf-parser';
const read = (words) => parseMetar(`KSFO 011556Z ${words} 18/17 A2970`, { issued: new Date('2026-12-01T16:00:00Z') });
for (const wind of ['28099KT', '280100KT', '280100G120KT']) {
  const { speed, unit, gust } = read(`${wind} 5SM`).wind;
  console.log(`npm   ${wind}: ${speed} ${unit}, gust ${gust ?? 'none'}`);
}
for (const range of ['R28R/0600V1200FT', 'R28R/M0600FT', 'R28R/M0600V1200FT']) {
  const found = read(`28010KT 1/4SM ${range} FG`).runwaysInfo;
  console.log(`npm   ${range}: ${found.map((one) => `${one.indicator ?? ''}${one.minRange} to ${one.maxRange ?? '-'}`).join() || 'no runway'}`);
}
for (const sight of ['1/4SM', '3/16SM']) console.log(`npm   ${sight}: ${read(`28010KT ${sight} FG`).visibility?.value ?? 'none'}`);
JS
cat > run.py <<'PY'
from metar.Metar import Metar
from metar_taf_parser.parser.parser import MetarParser

for wind in ['28099KT', '280100KT', '280100G120KT']:
    text = f'KSFO 011556Z {wind} 5SM 18/17 A2970'
    one, other = MetarParser().parse(text).wind, Metar('METAR ' + text, month=12, year=2026)
    print(f'mivek {wind}: {one.speed} {one.unit}, gust {one.gust or "none"}')
    print(f'metar {wind}: {other.wind()}')
for sight in ['1/4SM R28R/0600V1200FT', '3/16SM R28R/M0600V1200FT']:
    text = f'KSFO 011556Z 28010KT {sight} FG 18/17 A2970'
    one, other = MetarParser().parse(text), Metar('METAR ' + text, month=12, year=2026)
    seen = one.visibility.distance if one.visibility else 'none'
    print(f'mivek {sight}: {seen}, {[(run.min_range, run.max_range) for run in one.runways_info]}')
    print(f'metar {sight}: {other.visibility()}, {other.runway_visual_range()}')
PY
echo "metar-taf-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/metar-taf-parser/package.json')).version")"
env/bin/pip list 2> /dev/null | grep -i metar
(node run.mjs; env/bin/python run.py) | tee out
diff out - <<'END'
npm   28099KT: 99 KT, gust none
npm   280100KT: 10 KT, gust none
npm   280100G120KT: 10 KT, gust none
npm   R28R/0600V1200FT: 600 to 1200
npm   R28R/M0600FT: M600 to -
npm   R28R/M0600V1200FT: no runway
npm   1/4SM: 0.25
npm   3/16SM: none
mivek 28099KT: 99 KT, gust none
metar 28099KT: W at 99 knots
mivek 280100KT: 10 KT, gust none
metar 280100KT: W at 100 knots
mivek 280100G120KT: 10 KT, gust none
metar 280100G120KT: W at 100 knots, gusting to 120 knots
mivek 1/4SM R28R/0600V1200FT: 1/4, [(600, 1200)]
metar 1/4SM R28R/0600V1200FT: 1/4 miles, on runway 28R, from 600 to 1200 feet
mivek 3/16SM R28R/M0600V1200FT: none, []
metar 3/16SM R28R/M0600V1200FT: 3/16 miles, on runway 28R, from 600 to 1200 feet
END
