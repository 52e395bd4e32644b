#!/usr/bin/env bash
# ingredient-slicer 1.2.21 (PyPI), a parser of the lines of recipes: quantity, unit, food and weight in grams.
# Behaviour: a comma ends the number: 1,000 g are 1 g and 12,5 g are 12 g. A half or a quarter in words is a word of the food: one and a half cups of milk are one cup of "half milk", half a cup is one cup.
# Of two units only the first counts: 2 lb 8 oz are 2 lb, 1 kg 500 g are 1 kg. The weight in grams is reckoned from that. Nothing is said. In digits, with "and" between, the same amount is right.
# Seen:   1,000 g flour: 1 g / half a cup sugar: 1 cup / 2 lb 8 oz beef: 907.18 g / 1 and 1/2 cups: 1.5
# Expected by most: 1000 g, half a cup, 1134 g.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ingredient-slicer==1.2.21
cat > run.py <<'PY'
import importlib.metadata
from ingredient_slicer import IngredientSlicer

print('ingredient-slicer', importlib.metadata.version('ingredient-slicer'))
for line in (
    '1000 g flour', '1,000 g flour', '1,500 ml stock', '12,5 g yeast', '1 and 1/2 cups milk', 'one and a half cups milk', 'half a cup sugar',
    'two and a quarter cups milk', '2 lb 8 oz beef', '1 kg 500 g potatoes', '1 cup plus 2 tablespoons flour',
):
    seen = IngredientSlicer(line).to_json()
    print(f"{line}: {seen['quantity']} {seen['unit']} of {seen['food']!r}, {seen['gram_weight']} g")
PY
env/bin/python run.py | tee out
diff out - <<'END'
ingredient-slicer 1.2.21
1000 g flour: 1000 g of 'flour', 1000.0 g
1,000 g flour: 1 g of 'flour', 1.0 g
1,500 ml stock: 1 ml of 'stock', 1.03 g
12,5 g yeast: 12 g of 'yeast', 12.0 g
1 and 1/2 cups milk: 1.5 cups of 'milk', 331.85 g
one and a half cups milk: 1 cups of 'half milk', 221.23 g
half a cup sugar: 1 cup of 'half sugar', 226.01 g
two and a quarter cups milk: 2 cups of 'quarter milk', 442.47 g
2 lb 8 oz beef: 2 lb of 'beef', 907.18 g
1 kg 500 g potatoes: 1 kg of 'potatoes', 1000.0 g
1 cup plus 2 tablespoons flour: 1 cup of 'flour', 136.77 g
END
