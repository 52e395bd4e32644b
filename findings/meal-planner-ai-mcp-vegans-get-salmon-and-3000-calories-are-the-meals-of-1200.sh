#!/usr/bin/env bash
# meal-planner-ai-mcp 1.0.9 (PyPI), an MCP server that plans meals "for the specified diet type and calorie target", with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: a diet whose name is not known gets the standard plan, without an error: for "vegan" salmon and eggs, for "gluten-free" toast and a wrap; the answer's diet is then "standard". Which names are known is told nowhere. The
# target of calories changes no meal: 1200 and 3000 give the same plan, with a remark to make all portions larger or smaller, and the shopping list has no amounts.
# Seen:   diet vegan: "diet": "standard", Grilled chicken salad, Salmon with vegetables; the same meals for 1200 and 3000
# Expected by most: a plan that keeps to the diet, or an error that names the diets; the description says that invalid input returns one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check meal-planner-ai-mcp==1.0.9 mcp==1.30.0
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

call = connect('env/bin/meal_planner_ai_mcp')
for diet, calories in [('vegetarian', 2000), ('vegan', 2000), ('gluten-free', 2000), ('vegan', 1200), ('vegan', 3000)]:
    answer = json.loads(call('plan_meals', diet=diet, calories=calories, days=2))
    print(f'{diet} {calories}: diet {answer["diet"]}, a day has {answer["average_daily_calories"]}; {answer.get("adjustment_note")}')
    for day, plan in answer['plan'].items():
        print('  ' + day + ':', ', '.join(meal['meal'] for meal in plan.values() if isinstance(meal, dict)))
PY
echo "meal-planner-ai-mcp $(env/bin/python -c "import importlib.metadata as m; print(m.version('meal-planner-ai-mcp'))")"
python3 run.py | tee out
diff out - <<'END'
vegetarian 2000: diet vegetarian, a day has 1200; Increase portions by ~67% to hit target
  Monday: Smoothie bowl, Lentil soup, Vegetable curry
  Tuesday: Veggie omelette, Caprese sandwich, Stuffed bell peppers
vegan 2000: diet standard, a day has 1310; Increase portions by ~53% to hit target
  Monday: Oatmeal with berries, Grilled chicken salad, Salmon with vegetables
  Tuesday: Scrambled eggs on toast, Turkey wrap, Chicken stir-fry
gluten-free 2000: diet standard, a day has 1310; Increase portions by ~53% to hit target
  Monday: Oatmeal with berries, Grilled chicken salad, Salmon with vegetables
  Tuesday: Scrambled eggs on toast, Turkey wrap, Chicken stir-fry
vegan 1200: diet standard, a day has 1310; Reduce portions by ~8% to hit target
  Monday: Oatmeal with berries, Grilled chicken salad, Salmon with vegetables
  Tuesday: Scrambled eggs on toast, Turkey wrap, Chicken stir-fry
vegan 3000: diet standard, a day has 1310; Increase portions by ~129% to hit target
  Monday: Oatmeal with berries, Grilled chicken salad, Salmon with vegetables
  Tuesday: Scrambled eggs on toast, Turkey wrap, Chicken stir-fry
END
