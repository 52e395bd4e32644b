#!/usr/bin/env bash
# natural-orderby 5.0.0 (npm), sorts texts with numbers in the order in which people read them.
# Behaviour: a text of two numbers and a dot is ONE decimal number, so the versions 3.9, 3.10, 3.11 are put as 3.10, 3.11, 3.9; with a letter before or a third
# number behind, the same parts are put as 9, 10. A heading "1.10 Setup" comes before "1.9 Start". A short commit such as 12e1 counts as 120.
# Ids of 16 digits are read as floats: two that differ in the last digit are equal and stay as they were. 1,000 comes before 20.
# Seen:   3.10 3.11 3.9 / v3.9 v3.10 v3.11 / 1.10 Setup, 1.9 Start / ...993 before ...992 / 1,000 20 999
# Expected by most: 3.9 3.10 3.11 in each form; ...992 before ...993; 20 999 1,000
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund natural-orderby@5.0.0
cat > run.mjs <<'JS'
import { orderBy } from 'natural-orderby';
import { readFileSync } from 'node:fs';

console.log('natural-orderby', JSON.parse(readFileSync('node_modules/natural-orderby/package.json')).version);
for (const list of [['3.10', '3.9', '3.11'], ['v3.10', 'v3.9', 'v3.11'], ['3.10.0', '3.9.0', '3.11.0'], ['1.9 Start', '1.10 Setup'], ['Part 1.9', 'Part 1.10'],
  ['9007199254740993', '9007199254740992'], ['id 9007199254740993', 'id 9007199254740992'], ['12e1', '99', '5e0'], ['999', '1,000', '20']])
  console.log(list.join(', ') + ' => ' + orderBy(list).join(', '));
JS
node run.mjs | tee out
diff out - <<'END'
natural-orderby 5.0.0
3.10, 3.9, 3.11 => 3.10, 3.11, 3.9
v3.10, v3.9, v3.11 => v3.9, v3.10, v3.11
3.10.0, 3.9.0, 3.11.0 => 3.9.0, 3.10.0, 3.11.0
1.9 Start, 1.10 Setup => 1.10 Setup, 1.9 Start
Part 1.9, Part 1.10 => Part 1.9, Part 1.10
9007199254740993, 9007199254740992 => 9007199254740993, 9007199254740992
id 9007199254740993, id 9007199254740992 => id 9007199254740992, id 9007199254740993
12e1, 99, 5e0 => 5e0, 99, 12e1
999, 1,000, 20 => 1,000, 20, 999
END
