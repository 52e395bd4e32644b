#!/usr/bin/env bash
# recipe-ingredient-parser-v3 1.5.0 (npm), parse and combine of the lines of recipes, in English.
# Behaviour: lb is a litre; lbs and pounds are pounds. A capital T is a teaspoon like t, so that combine() makes two teaspoons of a tablespoon and a teaspoon. Of a range only the first number counts, and minQty and maxQty
# are both that; where no unit follows, the word "to" is a teaspoon. 1,000 g are 1 g of ",000 flour". 100g without a space has no quantity at all.
# Seen:   2 lb beef: 2 liter / 1 T sugar: 1 teaspoon / 1 to 2 cups milk: 1 to 1 cup of "to 2  milk" / 10 to 12 shrimp: 10 teaspoon
# Expected by most: 2 pounds, a tablespoon, 1 to 2 cups, 10 to 12 pieces.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund recipe-ingredient-parser-v3@1.5.0
cat > run.mjs <<'JS'
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { parse, combine } = require('recipe-ingredient-parser-v3');
console.log('recipe-ingredient-parser-v3', JSON.parse(require('node:fs').readFileSync('node_modules/recipe-ingredient-parser-v3/package.json')).version);
const lines = ['2 lbs beef', '2 lb beef', '1 Tbsp sugar', '1 T sugar', '1 t sugar', '1 to 2 cups milk', '2-3 cloves garlic', '10 to 12 shrimp', '1000 g flour', '1,000 g flour', '100g butter'];
for (const line of lines) {
  const { quantity, minQty, maxQty, unit, ingredient } = parse(line, 'eng');
  console.log(`${line}: ${quantity} (${minQty} to ${maxQty}) ${unit} of ${JSON.stringify(ingredient)}`);
}
const [sum] = combine([parse('1 T sugar', 'eng'), parse('1 t sugar', 'eng')]);
console.log('1 T and 1 t sugar together:', sum.quantity, sum.unit);
JS
node run.mjs | tee out
diff out - <<'END'
recipe-ingredient-parser-v3 1.5.0
2 lbs beef: 2 (2 to 2) pound of "beef"
2 lb beef: 2 (2 to 2) liter of "beef"
1 Tbsp sugar: 1 (1 to 1) tablespoon of "sugar"
1 T sugar: 1 (1 to 1) teaspoon of "sugar"
1 t sugar: 1 (1 to 1) teaspoon of "sugar"
1 to 2 cups milk: 1 (1 to 1) cup of "to 2  milk"
2-3 cloves garlic: 2 (2 to 2) clove of "-3  garlic"
10 to 12 shrimp: 10 (10 to 10) teaspoon of "12 shrimp"
1000 g flour: 1000 (1000 to 1000) gram of "flour"
1,000 g flour: 1 (1 to 1) gram of ",000 flour"
100g butter: 0 (0 to 0) q.b. of "100g butter"
1 T and 1 t sugar together: 2 teaspoon
END
