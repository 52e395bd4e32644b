#!/usr/bin/env bash
# food-mcp 0.1.0 (PyPI), an MCP server for recipes and nutrients, over stdio: formulate_recipe with ingredients by name, as in its README.
# Behaviour: a name that is not in its small table is matched by any one word, and also inside of other words. Peanut butter, a cream of nuts, becomes ghee, without protein; almond milk
# and coconut milk become yogurt with the allergen dairy, and nuts are no allergen of the recipe; a sweet potato becomes lupin flour, peas become pearl millet, for "pea" is in "pearl".
# All these count as found: unresolved_ingredients is empty.
# Seen:   peanut butter: Desi Cow Ghee, 897 kcal, 0 g of protein / almond milk: yogurt, allergens dairy, milk / sweet potato: Sweet Lupin Flour, 40 g of protein
# Expected by most: the food that was named, or its name among the unresolved ones.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check food-mcp==0.1.0
cat > ask.py <<'PY'
import itertools
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio and gives a function that calls its tools."""
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
    return call
PY
cat > run.py <<'PY'
import json
from ask import start

call = start('env/bin/food-mcp', DO_NOT_TRACK='1')
for name in ['paneer', 'peanut butter', 'almond milk', 'coconut milk', 'sweet potato', 'pea', 'soy sauce']:
    answer = json.loads(call('formulate_recipe', ingredients=[{'name': name, 'grams': 100}]))
    food, sums = answer['ingredients'][0], answer['aggregate_macros']
    print(f"100 g {name}: {food['name']}, {sums['calories']} kcal, {sums['protein_g']} g protein, allergens {answer['detected_allergens']}, unresolved {answer['unresolved_ingredients']}")
PY
echo "food-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('food-mcp'))")"
env/bin/python run.py | tee out
diff out - <<'END'
100 g paneer: Indian Cottage Cheese (Paneer), 289.0 kcal, 18.3 g protein, allergens ['dairy', 'milk'], unresolved []
100 g peanut butter: Desi Cow Ghee (Clarified Butter), 897.0 kcal, 0.0 g protein, allergens ['dairy'], unresolved []
100 g almond milk: Whole Milk Yogurt / Curd (Dahi), 60.0 kcal, 3.1 g protein, allergens ['dairy', 'milk'], unresolved []
100 g coconut milk: Whole Milk Yogurt / Curd (Dahi), 60.0 kcal, 3.1 g protein, allergens ['dairy', 'milk'], unresolved []
100 g sweet potato: Sweet Lupin Flour, 371.0 kcal, 40.0 g protein, allergens ['legumes', 'lupin'], unresolved []
100 g pea: Pearl Millet (Bajra / Kambu), 348.0 kcal, 10.96 g protein, allergens [], unresolved []
100 g soy sauce: Whole Soybean (Bhatma), 446.0 kcal, 36.49 g protein, allergens ['soy'], unresolved []
END
