#!/usr/bin/env bash
# business-day-mcp 0.1.0 (PyPI), an MCP server for "business-day arithmetic with country-aware holiday calendars", with fastmcp 2.14.7, mcp 1.30.0 and holidays 0.109 (PyPI), over stdio.
# Behaviour: the country decides about holidays alone. The weekend is Saturday and Sunday everywhere, though the tools promise "a country's official calendar" and the holidays library beneath knows each weekend.
# So Sunday is a weekend in Israel, Saudi Arabia and Egypt, where it is the first day of work, and their Friday is a working day. All of next_business_day, business_days_between and
# last_business_day_of_month follow from that: the last working day of July 2026 in Saudi Arabia is given as a Friday.
# Seen:   Israel: Friday a working day, Sunday a weekend / next working day after Thursday 2026-12-03 in Saudi Arabia: Friday
# Expected by most: Sunday to Thursday in these countries.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check business-day-mcp==0.1.0 fastmcp==2.14.7 mcp==1.30.0 holidays==0.109
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        print(json.dumps({'jsonrpc': '2.0', **message}), file=server.stdin, flush=True)

    def request(method, **params):
        send(id=1, method=method, params=params)
        answers = (json.loads(line) for line in server.stdout if line.startswith('{'))
        return next(answer['result'] for answer in answers if 'result' in answer)

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > run.py <<'PY'
import datetime
import json
from ask import start

call, _ = start('env/bin/business-day-mcp')
for country in ['IL', 'SA', 'EG', 'AE', 'DE']:
    days = [json.loads(call('is_business_day', date=f'2026-12-{day:02}', country=country)) for day in (3, 4, 5, 6)]
    print(country, *(f"{datetime.date.fromisoformat(day['date']):%A}: {'work' if day['is_business_day'] else 'free'}" for day in days))
print('after Thursday 2026-12-03 in SA:', json.loads(call('next_business_day', date='2026-12-03', country='SA')))
print(json.loads(call('last_business_day_of_month', year=2026, month=7, country='SA')))
PY
cat > library.py <<'PY'
import datetime
import holidays

for country in ['IL', 'SA', 'EG', 'AE', 'DE']:
    calendar = holidays.country_holidays(country)
    print(country, 'in the library:', *(f'{day:%A}: {"work" if calendar.is_working_day(day) else "free"}' for day in (datetime.date(2026, 12, d) for d in (3, 4, 5, 6))))
PY
echo "business-day-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('business-day-mcp'))")"
(python3 run.py; env/bin/python library.py) | tee out
diff out - <<'END'
IL Thursday: work Friday: work Saturday: free Sunday: free
SA Thursday: work Friday: work Saturday: free Sunday: free
EG Thursday: work Friday: work Saturday: free Sunday: free
AE Thursday: free Friday: work Saturday: free Sunday: free
DE Thursday: work Friday: work Saturday: free Sunday: free
after Thursday 2026-12-03 in SA: {'input_date': '2026-12-03', 'next_business_day': '2026-12-04', 'country': 'SA', 'skipped_days': 1}
{'year': 2026, 'month': 7, 'country': 'SA', 'last_business_day': '2026-07-31', 'last_calendar_day': '2026-07-31'}
IL in the library: Thursday: work Friday: free Saturday: free Sunday: work
SA in the library: Thursday: work Friday: free Saturday: free Sunday: work
EG in the library: Thursday: work Friday: free Saturday: free Sunday: work
AE in the library: Thursday: free Friday: work Saturday: free Sunday: free
DE in the library: Thursday: work Friday: work Saturday: free Sunday: free
END
