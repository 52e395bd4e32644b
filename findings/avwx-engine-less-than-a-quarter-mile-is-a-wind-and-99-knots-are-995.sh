#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI) against metar 2.0.2 (PyPI): airport weather reports of the United States.
# Behaviour: "M1/4SM", less than a quarter of a mile of sight, which is the usual word for dense fog, becomes "M14KT", as if it were a wind of 14 knots, and
# lands under "other"; the report has no visibility. So does 3/16SM. The flight rules are then told from the clouds alone, or as IFR where there are none:
# denser fog is told as better than 1/2SM. A wind of 99 knots with gusts of 105 is one of 995 with gusts of 10. Nothing is told in any of these.
# Seen:   M1/4SM: no visibility, other ['M14KT'], IFR / 1/2SM: 0.5 LIFR / 28099G105KT: 995 and 10
# Expected by most: a visibility of a quarter or "less than a quarter", LIFR, and 99 and 105 knots.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check avwx-engine==1.9.10 metar==2.0.2
cat > run.py <<'PY'
import avwx
from metar.Metar import Metar

for words in ['1/2SM FG', '1/4SM FG', 'M1/4SM FG', 'M1/4SM FG FEW010', '3/16SM FG']:
    text = f'KSFO 011556Z 28010KT {words} 05/05 A2992'
    data = avwx.Metar.from_report(text).data
    sight = data.visibility.value if data.visibility else 'none'
    print(f'{words}: avwx {sight}, other {data.other}, {data.flight_rules}')
    print(f'    metar: {Metar("METAR " + text, month=12, year=2026).visibility()}')
for wind in ['28099KT', '28095G99KT', '280100KT', '28099G105KT', '280100G120KT']:
    text = f'KSFO 011556Z {wind} 5SM 18/17 A2970'
    data = avwx.Metar.from_report(text).data
    print(f'{wind}: avwx {data.wind_speed.value} knots, gust {data.wind_gust.value if data.wind_gust else "none"}')
    print(f'    metar: {Metar("METAR " + text, month=12, year=2026).wind()}')
PY
env/bin/pip list 2> /dev/null | grep -iE '^(avwx|metar)'
env/bin/python run.py | tee out
diff out - <<'END'
1/2SM FG: avwx 0.5, other [], LIFR
    metar: 1/2 miles
1/4SM FG: avwx 0.25, other [], LIFR
    metar: 1/4 miles
M1/4SM FG: avwx none, other ['M14KT'], IFR
    metar: less than 1/4 miles
M1/4SM FG FEW010: avwx none, other ['M14KT'], IFR
    metar: less than 1/4 miles
3/16SM FG: avwx none, other ['316KT'], IFR
    metar: 3/16 miles
28099KT: avwx 99 knots, gust none
    metar: W at 99 knots
28095G99KT: avwx 95 knots, gust 99
    metar: W at 95 knots, gusting to 99 knots
280100KT: avwx 100 knots, gust none
    metar: W at 100 knots
28099G105KT: avwx 995 knots, gust 10
    metar: W at 99 knots, gusting to 105 knots
280100G120KT: avwx 1000 knots, gust 12
    metar: W at 100 knots, gusting to 120 knots
END
