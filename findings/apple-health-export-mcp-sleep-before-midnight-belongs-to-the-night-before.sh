#!/usr/bin/env bash
# apple-health-export-mcp 0.1.1 (PyPI), an MCP server over an Apple Health export, over stdio: get_sleep, "per-night sleep stage durations, attributed to the wake-up day".
# Behaviour: not the night but each piece of it goes to the day on which the piece ends. A watch writes a night as many pieces, so all sleep that ends before midnight counts for the
# night before. Who sleeps from 22:00 to 6:00 has slept 6 hours in the first night, and the last night of a holiday has a follower of 2 hours in which nobody slept.
# Two apps that wrote the same night are added: 16 hours of sleep in 8, though get_quantity counts devices once.
# Seen:   two nights of 8 hours: 119, 480 and 361 minutes for 3, 4 and 5 November / one night by two apps: 238 and 722 minutes
# Expected by most: 480 minutes for 4 and for 5 November, none for the 3rd; 480 for one night, whoever wrote it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check apple-health-export-mcp==0.1.1
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
import os
import subprocess
import zipfile
from ask import start


def night(day, source):
    at = [f'2026-11-{day:02} 22:00', f'2026-11-{day:02} 23:00', f'2026-11-{day:02} 23:59', f'2026-11-{day + 1:02} 01:00', f'2026-11-{day + 1:02} 06:00']
    record = '<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="{0}" creationDate="{2}:00 +0100" startDate="{1}:00 +0100" endDate="{2}:00 +0100" value="HKCategoryValueSleepAnalysis{3}"/>'
    return ''.join(record.format(source, *piece) for piece in zip(at, at[1:], ['AsleepCore', 'AsleepDeep', 'AsleepREM', 'AsleepCore']))


def sleep(name, records):
    with zipfile.ZipFile(name + '.zip', 'w') as export:
        export.writestr('apple_health_export/export.xml', f'<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_GB"><ExportDate value="2026-11-09 10:00:00 +0100"/>{records}</HealthData>')
    subprocess.run(['env/bin/apple-health-export-mcp-ingest', '--db', name + '.db', name + '.zip'], check=True, stdout=subprocess.DEVNULL)
    call = start('env/bin/apple-health-export-mcp', AH_DB_PATH=os.path.abspath(name + '.db'))
    for one in json.loads(call('get_sleep', start='2026-11-01', end='2026-11-08')):
        print(f"{name}, {one['night']}:", {key: one[key] for key in ('asleep_min', 'core_min', 'deep_min', 'rem_min')})


sleep('two nights of 8 hours', night(3, 'Watch') + night(4, 'Watch'))
sleep('one night by two apps', night(3, 'Watch') + night(3, 'Sleep app'))
PY
echo "apple-health-export-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('apple-health-export-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
two nights of 8 hours, 2026-11-03: {'asleep_min': 119.0, 'core_min': 60.0, 'deep_min': 59.0, 'rem_min': 0.0}
two nights of 8 hours, 2026-11-04: {'asleep_min': 480.0, 'core_min': 360.0, 'deep_min': 59.0, 'rem_min': 61.0}
two nights of 8 hours, 2026-11-05: {'asleep_min': 361.0, 'core_min': 300.0, 'deep_min': 0.0, 'rem_min': 61.0}
one night by two apps, 2026-11-03: {'asleep_min': 238.0, 'core_min': 120.0, 'deep_min': 118.0, 'rem_min': 0.0}
one night by two apps, 2026-11-04: {'asleep_min': 722.0, 'core_min': 600.0, 'deep_min': 0.0, 'rem_min': 122.0}
END
