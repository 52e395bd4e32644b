#!/usr/bin/env bash
# flexsearch 0.8.212 (npm), a full-text index in JavaScript, `new Index()` with default settings.
# Behaviour: digits are cut into groups of three from the left, in texts and in queries. So an id is found by another one that is made
# of the same groups (456123 finds 1234567), by a part that begins at a group (4567), and not by its last digits (567) or any
# other part.
# Seen:   1234567: [0] / 456123: [0] / 4567: [0] / 567: [] / 2345: []
# Expected by most: a number is one word; a part is found everywhere or nowhere, and another number never.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund flexsearch@0.8.212
cat > run.mjs <<'JS'
import * as module from 'flexsearch';
const Index = module.Index ?? module.default.Index;
const index = new Index();
index.add(0, 'order 1234567');
index.add(1, 'order 8888888');
for (const query of ['1234567', '456123', '4567', '567', '2345']) console.log(query + ': ' + JSON.stringify(index.search(query)));
JS
node -p "'flexsearch ' + require('flexsearch/package.json').version" 2> /dev/null || grep '"version"' node_modules/flexsearch/package.json
node run.mjs | tee out
printf '%s\n' '1234567: [0]' '456123: [0]' '4567: [0]' '567: []' '2345: []' | diff out -
