#!/usr/bin/env bash
# carbon-footprint-mcp 1.0.1 (PyPI), an MCP server for greenhouse gas emissions with the EPA factors, with mcp 1.30.0 (PyPI), over stdio: computeEmissions, stationary combustion with quantity_unit.
# Behaviour: a unit other than mmbtu is not read. The amount is multiplied by the factor of the fuel's own unit: cubic feet for gas, short tons for coal, gallons for oil. 100 therms of gas are 100 cubic feet, a hundredth of the truth,
# 100 kWh and 100 cubic metres too. A tonne of coal and a kilogram of coal are a short ton. The answer repeats the given unit as if it had been used. Without quantity_unit, or with the name unit, all is million British thermal units.
# A fuel that the list does not have under that name, such as Diesel, is 0.0 kg with the label "computed" and no missing inputs.
# Seen:   100 therms of gas: 5.45 kg / 1 kg of anthracite: 2620 kg / the field unit instead of quantity_unit: 5311 kg / Diesel: 0.0, computed
# Expected by most: 531 kg for the therms, 2.9 kg for the coal; an error for a unit or a fuel that is not known.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check carbon-footprint-mcp==1.0.1 mcp==1.30.0
cat > ask.py <<'PY'
import itertools
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio; gives a function that calls its tools, and one for other requests."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})
    numbers = itertools.count(1)

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        number = next(numbers)
        send(id=number, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == number:
                return answer.get('result') or answer['error']

    def call(tool, /, **arguments):
        return '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return call, request
PY
cat > run.py <<'PY'
import json
from ask import start

call, _ = start('env/bin/carbon-footprint-mcp')
gas, coal = 'Natural Gas', 'Anthracite'
for fuel, amount, unit in [(gas, 10, 'mmbtu'), (gas, 100, 'therms'), (gas, 100, 'scf'), (gas, 100, 'kWh'), (gas, 100, 'm3'), (coal, 1, 'short_ton'), (coal, 1, 'kg'), (coal, 1, 'tonne'), ('Diesel', 100, 'gallon')]:
    entry = {'fuel_type': fuel, 'quantity': amount, 'quantity_unit': unit}
    answer = json.loads(call('computeEmissions', inputs_json=json.dumps({'stationary_combustion': [entry]})))
    found = answer['scope_1']['categories']['stationary_combustion']
    part = found['details'][0]
    print(f"{amount} {unit} of {fuel}: {found['value']} {found['unit']}, {found['label']}, missing {found['missing_inputs']}, told as {part.get('quantity')} {part.get('unit')}, error {part.get('error')}")
answer = json.loads(call('computeEmissions', inputs_json=json.dumps({'stationary_combustion': [{'fuel_type': gas, 'quantity': 100, 'unit': 'therms'}]})))
print('100 therms of gas, the unit as "unit":', answer['scope_1']['total_kg_co2e'])
PY
echo "carbon-footprint-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('carbon-footprint-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
10 mmbtu of Natural Gas: 531.145 kg CO2e, computed, missing [], told as 10.0 mmbtu, error None
100 therms of Natural Gas: 5.4495 kg CO2e, computed, missing [], told as 100.0 therms, error None
100 scf of Natural Gas: 5.4495 kg CO2e, computed, missing [], told as 100.0 scf, error None
100 kWh of Natural Gas: 5.4495 kg CO2e, computed, missing [], told as 100.0 kWh, error None
100 m3 of Natural Gas: 5.4495 kg CO2e, computed, missing [], told as 100.0 m3, error None
1 short_ton of Anthracite: 2620.328 kg CO2e, computed, missing [], told as 1.0 short_ton, error None
1 kg of Anthracite: 2620.328 kg CO2e, computed, missing [], told as 1.0 kg, error None
1 tonne of Anthracite: 2620.328 kg CO2e, computed, missing [], told as 1.0 tonne, error None
100 gallon of Diesel: 0.0 kg CO2e, computed, missing [], told as None None, error Unknown fuel type: Diesel
100 therms of gas, the unit as "unit": 5311.45
END
