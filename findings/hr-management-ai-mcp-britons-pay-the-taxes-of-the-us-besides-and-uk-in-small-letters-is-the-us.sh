#!/usr/bin/env bash
# hr-management-ai-mcp 1.0.10 (PyPI), an MCP server for leave and pay, with mcp 1.30.0 (PyPI), over stdio: payroll_estimator and leave_calculator, "region (US, UK, EU, AU, CA)".
# Behaviour: a region never takes the federal tax of the US, Social Security and Medicare away: they are paid everywhere, and what a region pays besides is added as a "state" tax, 20 percent for the UK. A region in small letters
# or by another name (uk, GB, Germany) is that of the US, and is given back as it was written: uk has 15 days of leave, UK 28. The pay of "bi-weekly" is monthly. Nothing is said of any of it.
# Seen:   60000 in the UK: federal 8507.5, state 12000, social_security 3720, medicare 870; "uk": state 3000 / leave UK 28, uk 15, Germany 15
# Expected by most: the taxes of the region, or an error; letter case does not matter.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check hr-management-ai-mcp==1.0.10 mcp==1.30.0
cat > peer.py <<'PY'
import json
import os
import subprocess


def connect(*command, **env):
    child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, 'HOME': os.getcwd(), **env})

    def ask(method, **params):
        first = '' if method != 'tools/call' else json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}) + '\n'
        print(first + json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}), file=child.stdin, flush=True)
        while not ((line := next(child.stdout)).startswith('{') and 'result' in line and (reply := json.loads(line)).get('id') == 7):
            pass
        return reply['result']

    ask('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'peer', 'version': '1'})
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in ask('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import json
from peer import connect

call = connect('env/bin/hr_management_ai_mcp')
for region in ['US', 'UK', 'uk', 'EU']:
    answer = json.loads(call('payroll_estimator', annual_salary=60000, region=region))
    print(answer['region'] + ':', *(f'{name} {value}' for name, value in answer['taxes'].items()))
for often in ['biweekly', 'bi-weekly']:
    print(often, json.loads(call('payroll_estimator', annual_salary=60000, region='US', pay_frequency=often))['pay_periods'], 'times a year')
for region in ['UK', 'uk', 'Germany']:
    answer = json.loads(call('leave_calculator', employee_start_date='2024-01-01', region=region, days_taken=5, custom_allowance=0))
    print('leave', answer['region'], answer['allowance']['base'], answer['warnings'])
PY
echo "hr-management-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('hr-management-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
US: federal 8507.5 state 3000.0 social_security 3720.0 medicare 870.0 total_annual 16097.5 effective_rate_pct 26.83
UK: federal 8507.5 state 12000.0 social_security 3720.0 medicare 870.0 total_annual 25097.5 effective_rate_pct 41.83
uk: federal 8507.5 state 3000.0 social_security 3720.0 medicare 870.0 total_annual 16097.5 effective_rate_pct 26.83
EU: federal 8507.5 state 15000.0 social_security 3720.0 medicare 870.0 total_annual 28097.5 effective_rate_pct 46.83
biweekly 26 times a year
bi-weekly 12 times a year
leave UK 28 []
leave uk 15 []
leave Germany 15 []
END
