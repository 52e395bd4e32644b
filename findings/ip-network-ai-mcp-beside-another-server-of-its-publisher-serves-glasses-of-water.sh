#!/usr/bin/env bash
# ip-network-ai-mcp 1.0.10 and hydration-reminder-ai-mcp 1.0.10 (PyPI), two MCP servers of one publisher, with mcp 1.30.0 (PyPI), in one environment, over stdio.
# Behaviour: each package is a module with the same name ("server"). pip writes the second over the first without a word, and "pip check" finds nothing. Each command still exists, and starts the server that was installed
# last: the command of the network calculator lists tools for glasses of water. When one package is removed, the module is gone for both.
# Seen:   ip_network_ai_mcp: log_water_intake, get_daily_hydration, ... / after "pip uninstall hydration-reminder-ai-mcp": ip_network_ai_mcp ends with ModuleNotFoundError
# Expected by most: each command starts its own server; a conflict is said by pip.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ip-network-ai-mcp==1.0.10 mcp==1.30.0
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
sed -i "s/    return lambda .*/    return [tool['name'] for tool in ask('tools\/list')['tools']]/" peer.py
{
  python3 -c "from peer import connect; print('alone:', *connect('env/bin/ip_network_ai_mcp'))"
  env/bin/pip install --quiet --disable-pip-version-check hydration-reminder-ai-mcp==1.0.10 mcp==1.30.0
  env/bin/pip check --disable-pip-version-check
  python3 -c "from peer import connect; print('together:', *connect('env/bin/ip_network_ai_mcp'))"
  env/bin/pip uninstall --quiet --yes --disable-pip-version-check hydration-reminder-ai-mcp
  env/bin/ip_network_ai_mcp < /dev/null 2>&1 | tail -1 || true
} > out
echo "$(env/bin/pip list --disable-pip-version-check 2> log | grep -o 'ip-network-ai-mcp .*' | tr -s ' ') hydration-reminder-ai-mcp 1.0.10"
cat out
diff out - <<'END'
alone: parse_ip subnet_calculator cidr_to_range dns_lookup_data
No broken requirements found.
together: log_water_intake get_daily_hydration calculate_target get_hydration_tips
ModuleNotFoundError: No module named 'server'
END
