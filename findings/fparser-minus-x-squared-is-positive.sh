#!/usr/bin/env bash
# fparser 4.2.0 (npm), formulas with variables.
# Behaviour: a minus at the start of a formula, behind a bracket or behind a comma binds before the power: -2^2 is 4 and -x^2 is a parabola that opens upwards, -3^-2 is positive. A minus between
# two terms does not, so 1-x^2 is right and -x^2+1 is not the same. Its README tells of powers only that they are taken from the right. .5 and % are refused.
# Seen:   x = 3: -x^2: 9 / 1-x^2: -8 / -x^2+1: 10 / 0-x^2: -9
# Expected by most: -9, -8, -8, -9, as in school and in most languages.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fparser@4.2.0 2> /dev/null
cat > run.mjs <<'JS'
import Formula from 'fparser';
for (const text of ['-x^2', '1-x^2', '-x^2+1', '2*(-x^2)', 'max(0,-x^2)', '-2^2', '-3^-2', '2^3^2', '0-x^2', '-(x^2)', '-1*x^2']) console.log(`${text}: ${new Formula(text).evaluate({ x: 3 })}`);
JS
echo "fparser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/fparser/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
-x^2: 9
1-x^2: -8
-x^2+1: 10
2*(-x^2): 18
max(0,-x^2): 9
-2^2: 4
-3^-2: 0.1111111111111111
2^3^2: 512
0-x^2: -9
-(x^2): -9
-1*x^2: -9
END
