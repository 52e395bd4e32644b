#!/usr/bin/env bash
# ics-calendar-mcp 0.1.0 (PyPI), an MCP server over a calendar feed, over stdio, with ICS_TIMEZONE=Europe/Rome; the feed is served by the script on this machine.
# Behaviour: get_events_range takes the days of ICS_TIMEZONE only for times that the file gives with a zone. A time in UTC, as most exports write single events, is sorted by its day in UTC
# and then printed in the zone: the answer for 4 November holds an event whose start is printed as 5 November 00:30, and the answer for 5 November has it not. The same moment with
# TZID=Europe/Rome is on the 5th. list_recurring_events says of a series of three weeks "weekly", until null, so without an end: COUNT is not read.
# Seen:   2026-11-04: "in UTC", start 2026-11-05T00:30:00+01:00 / 2026-11-05: only "in zone" / COUNT=3: until null
# Expected by most: both on 5 November, none on the 4th, and an end of the series.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ics-calendar-mcp==0.1.0 mcp==1.30.0
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
import functools
import http.server
import json
import threading
from ask import start

event = 'BEGIN:VEVENT\r\nUID:{0}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART{1}\r\nDURATION:PT1H\r\nSUMMARY:{0}\r\n{2}END:VEVENT\r\n'
with open('feed.ics', 'w', newline='') as feed:
    feed.write('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\n' + event.format('in UTC', ':20261104T233000Z', '')
               + event.format('in zone', ';TZID=Europe/Rome:20261105T003000', '')
               + event.format('course', ';TZID=Europe/Rome:20260901T090000', 'RRULE:FREQ=WEEKLY;COUNT=3\r\n') + 'END:VCALENDAR\r\n')


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory='.'))
threading.Thread(target=server.serve_forever, daemon=True).start()
call = start('env/bin/ics-calendar-mcp', ICS_CALENDAR_URL=f'http://127.0.0.1:{server.server_port}/feed.ics', ICS_TIMEZONE='Europe/Rome')
for day in ['2026-11-04', '2026-11-05']:
    print(day, [(event['summary'], event['start']) for event in json.loads(call('get_events_range', start_date=day, end_date=day))['events']])
print([(event['summary'], event['recurrence']) for event in json.loads(call('list_recurring_events'))['events']])
PY
echo "ics-calendar-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('ics-calendar-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
2026-11-04 [('in UTC', '2026-11-05T00:30:00+01:00')]
2026-11-05 [('in zone', '2026-11-05T00:30:00+01:00')]
[('course', {'frequency': 'WEEKLY', 'interval': 1, 'until': None, 'days': None, 'description': 'weekly'})]
END
