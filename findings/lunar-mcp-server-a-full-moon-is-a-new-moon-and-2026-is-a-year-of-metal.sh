#!/usr/bin/env bash
# lunar-mcp-server 1.2.1 (PyPI), an MCP server for the Chinese calendar and the moon, over stdio; ephem 4.2.1 (PyPI), which has the moon from the ephemeris, asked the same.
# Behaviour: phases stand on their heads. On the day of a full moon the answer is New Moon with 1 percent of light, good for planting seeds; on the day of a new moon it is Full Moon. Each is
# listed on two days, and the last quarter is called First Quarter. The lunar_day beside it is right: day 15 of a "new moon". The year 2026 (bing wu), a Fire Horse, is one of metal.
# New Year of 2025, 29 January, is 11 February in get_annual_festivals, though get_lunar_festivals knows the right day.
# Seen:   2026-11-24: New Moon, illumination 0.008 (full moon at 14:53 UTC) / 2026: Metal Horse / Spring Festival of 2025: 11 February
# Expected by most: Full Moon, 0.99, Fire Horse (bing wu), 29 January.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check lunar-mcp-server==1.2.1 ephem==4.2.1
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio and gives a function that calls its tools."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        send(id=1, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == 1:
                return answer.get('result') or answer['error']

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import json
import ephem
from ask import start

call = start('env/bin/lunar-mcp-server')
for day in ['2026-11-09', '2026-11-17', '2026-11-24', '2026-12-01']:
    answer = json.loads(call('get_moon_phase', date=day))
    print(f"{day}: {answer['phase_name']}, illumination {answer['illumination']}, lunar day {answer['lunar_day']}; ephem at noon: {ephem.Moon(day + ' 12:00').phase / 100:.2f}")
answer = json.loads(call('predict_moon_phases', start_date='2026-11-05', end_date='2026-11-30'))
print([(phase['date'][5:], phase['phase']) for phase in answer['major_phases']])
for day in ['2024-03-01', '2025-03-01', '2026-03-01']:
    print(day[:4], json.loads(call('solar_to_lunar', solar_date=day))['zodiac_info']['full_name'])
of_2025 = json.loads(call('get_annual_festivals', year=2025))['festivals'][0]
print(of_2025['name'], 'of 2025:', {key: of_2025['estimated_date'][key] for key in ('month', 'day')})
print('festivals on 2025-01-29:', [one['name'] for one in json.loads(call('get_lunar_festivals', date='2025-01-29'))['festivals']])
PY
echo "lunar-mcp-server $(env/bin/python -c "import importlib.metadata as m; print(m.version('lunar-mcp-server'))")"
env/bin/python run.py | tee out
diff out - <<'END'
2026-11-09: Full Moon, illumination 0.997, lunar day 29; ephem at noon: 0.00
2026-11-17: First Quarter, illumination 0.548, lunar day 8; ephem at noon: 0.50
2026-11-24: New Moon, illumination 0.008, lunar day 15; ephem at noon: 1.00
2026-12-01: First Quarter, illumination 0.472, lunar day 22; ephem at noon: 0.47
[('11-09', 'Full Moon'), ('11-10', 'Full Moon'), ('11-17', 'First Quarter'), ('11-18', 'First Quarter'), ('11-24', 'New Moon'), ('11-25', 'New Moon')]
2024 Earth Dragon
2025 Earth Snake
2026 Metal Horse
Spring Festival (Chinese New Year) of 2025: {'month': 2, 'day': 11}
festivals on 2025-01-29: ['Spring Festival (Chinese New Year)']
END
