#!/usr/bin/env bash
# pint 0.25.3 (PyPI), parse-duration 2.1.9 and timestring 7.0.0 (npm): quantities and durations as people and APIs write them, default settings.
# Behaviour: in pint two quantities beside each other are multiplied: 1 h 30 min is 30 hours times minutes, or 6,480,000 square seconds, 5 ft 10 in an area; 10±2 cm is 20 cm, and 3,5 m is 35 m, for commas
# are taken away. parse-duration passes over what it does not know and adds up the rest: P1DT2H, the notation of ISO 8601, is two hours without the day and P1M one minute, 1/2 h is two hours and 1 ms, 1:30 is 1.03 ms, 5-10 min is
# 10 minutes and 5 ms, 1,5h is 15 hours. In timestring 1/2 h is twelve hours, 1h30 one hour, and -1h one hour.
# Seen:   1 h 30 min: 30 hour * minute / 5 ft 10 in: 0.387 square metres / P1DT2H: 7200000 / 1/2 h: 7200001 and 43200 / -1h: 3600
# Most would guess: 90 minutes, 1.78 metres, 26 hours, half an hour, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund parse-duration@2.1.9 timestring@7.0.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pint==0.25.3
cat > run.py <<'PY'
import pint

units = pint.UnitRegistry()
for text in ['90 min', '1 h 30 min', '2 min 30 s', '5 ft 10 in', '2 weeks 3 days', '10±2 cm', '3,5 m', '1,234 m', '5 Mb']:
    quantity = units(text)
    print(f'pint {text}: {quantity} = {quantity.to_base_units():.6g}')
PY
cat > run.mjs <<'JS'
import parseDuration from 'parse-duration';
import timestring from 'timestring';
function seconds(text) {
  try { return timestring(text); } catch { return 'error'; }
}
for (const text of ['1h30m', '1h30', '1:30', '1,5h', '1/2 h', '-1h', '5-10 min', 'P1DT2H', 'P1M']) {
  console.log(`${text}: parse-duration ${(parseDuration.default ?? parseDuration)(text)} ms, timestring ${seconds(text)} s`);
}
JS
for package in parse-duration timestring; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
echo "pint $(env/bin/python -c 'import pint; print(pint.__version__)')"
{ env/bin/python run.py; node run.mjs; } | tee out
diff out - <<'END'
pint 90 min: 90 minute = 5400 second
pint 1 h 30 min: 30 hour * minute = 6.48e+06 second ** 2
pint 2 min 30 s: 60 minute * second = 3600 second ** 2
pint 5 ft 10 in: 50 foot * inch = 0.387096 meter ** 2
pint 2 weeks 3 days: 6 day * week = 3.13528e+11 second ** 2
pint 10±2 cm: 20 centimeter = 0.2 meter
pint 3,5 m: 35 meter = 35 meter
pint 1,234 m: 1234 meter = 1234 meter
pint 5 Mb: 5 megabarn = 5e-22 meter ** 2
1h30m: parse-duration 5400000 ms, timestring 5400 s
1h30: parse-duration 5400000 ms, timestring 3600 s
1:30: parse-duration 1.03 ms, timestring error s
1,5h: parse-duration 54000000 ms, timestring 54000 s
1/2 h: parse-duration 7200001 ms, timestring 43200 s
-1h: parse-duration -3600000 ms, timestring 3600 s
5-10 min: parse-duration 600005 ms, timestring 600 s
P1DT2H: parse-duration 7200000 ms, timestring error s
P1M: parse-duration 60000 ms, timestring 60 s
END
