#!/usr/bin/env bash
# finanzas-mcp 0.1.3 (PyPI), an MCP server of financial calculators in Spanish, with mcp 1.30.0 (PyPI), over stdio: altman_z_score.
# Behaviour: sales ("ventas") may be left out, and then count as nothing. The README's own question about a Z-Score names no sales: its answer is "PELIGRO", danger of insolvency, where the same firm with sales of 9000 is grey and with
# 25000 safe. The answer does not say that sales were missing. A model whose name is not known ("public", "private company") is worked out as the private one, with its limits, and named as it was written.
# Seen:   without ventas: 0.9 PELIGRO / ventas 9000: 1.8 GRIS / ventas 25000: SEGURA / modelo public: the figures of privada
# Expected by most: an error that sales are needed (as piotroski_f_score gives), and one that names the models.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check finanzas-mcp==0.1.3 mcp==1.30.0
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

call = connect('env/bin/finanzas-mcp')
FIRM = {'activos_totales': 10000, 'pasivos_totales': 6000, 'capital_trabajo': 1800, 'utilidades_retenidas': 2500, 'ebit': 900, 'patrimonio': 4000}
for more in [{}, {'ventas': 9000}, {'ventas': 25000}, {'modelo': 'publica', 'ventas': 9000}, {'modelo': 'public', 'ventas': 9000}, {'modelo': 'servicios'}]:
    answer = json.loads(call('altman_z_score', **FIRM, **more))
    print(more, '=>', answer['z_score'], answer['modelo'], answer['zona'].split()[0], answer['umbrales']['zona_segura_desde'], 'sales part', answer['componentes'].get('x5_ventas_ta'))
print(call('piotroski_f_score', actual={'ventas': 1}, anterior={})[:60])
PY
echo "finanzas-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('finanzas-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
{} => 0.9 privada PELIGRO 2.9 sales part 0.0
{'ventas': 9000} => 1.8 privada GRIS 2.9 sales part 0.9
{'ventas': 25000} => 3.4 privada SEGURA 2.9 sales part 2.5
{'modelo': 'publica', 'ventas': 9000} => 2.16 publica GRIS 2.99 sales part 0.9
{'modelo': 'public', 'ventas': 9000} => 1.8 public GRIS 2.9 sales part 0.9
{'modelo': 'servicios'} => 3.3 servicios SEGURA 2.6 sales part 0.0
Error executing tool piotroski_f_score: Faltan llaves en 'ac
END
