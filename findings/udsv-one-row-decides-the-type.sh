#!/usr/bin/env bash
# udsv 0.7.3 (npm), a fast reader of CSV with "schema inference", as its guide shows it: inferSchema, initParser, typedObjs.
# Behaviour: what a column holds is guessed from one value, the last that is there in the first nine rows. Where this is a number, all texts of the column are
# NaN, the rows before it and behind it; where it is a day, they are no valid time. Where it is true, yes, y, t or their like, the column is true and false, and
# each other text is false: of x and y, of "unknown", "maybe" and "yes", of True and TRUE. Put the lines in another order, and the columns are texts.
# Seen:   commits a1b2c3d, f00ba47, 4120573: NaN, NaN, 4120573 / in another order: texts / axes x, y: false, true / unknown, maybe, yes: false, false, true
# Expected by most: a type that all looked at rows have, and texts where they differ.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund udsv@0.7.3
cat > run.mjs <<'JS'
import { inferSchema, initParser } from 'udsv';
const print = (label, values) => {
  const csv = 'id,value\n' + values.map((value, i) => `${i + 1},${value}\n`).join('');
  const words = (value) => (typeof value === 'string' ? JSON.stringify(value) : !(value instanceof Date) ? String(value) : isNaN(value) ? 'Invalid Date' : value.toISOString());
  console.log(`${label}: ${initParser(inferSchema(csv)).typedObjs(csv).map(({ value }) => words(value)).join(' ')}`);
};
print('commits', ['a1b2c3d', 'f00ba47', '4120573']);
print('commits, other order', ['4120573', 'a1b2c3d', 'f00ba47']);
print('axes', ['x', 'y']);
print('axes, other order', ['y', 'x']);
print('answers', ['unknown', 'maybe', 'yes']);
print('two spellings', ['True', 'TRUE', 'True']);
print('one spelling of two', ['TRUE', 'True', 'true']);
print('days', ['never', 'unknown', '2026-01-02']);
print('ninth row', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '9', 'j', 'k']);
print('tenth row', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', '10', 'k']);
JS
echo "udsv $(node -p "JSON.parse(require('fs').readFileSync('node_modules/udsv/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
commits: NaN NaN 4120573
commits, other order: "4120573" "a1b2c3d" "f00ba47"
axes: false true
axes, other order: "y" "x"
answers: false false true
two spellings: true false true
one spelling of two: false false true
days: Invalid Date Invalid Date 2026-01-02T00:00:00.000Z
ninth row: NaN NaN NaN NaN NaN NaN NaN NaN 9 NaN NaN
tenth row: "a" "b" "c" "d" "e" "f" "g" "h" "i" "10" "k"
END
