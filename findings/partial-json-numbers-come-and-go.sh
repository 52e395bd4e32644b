#!/usr/bin/env bash
# partial-json 0.1.7 (npm), which reads the arguments of a tool while the model still writes them.
# Behaviour: while {"price":12.5,"ratio":[1.5]} comes in, character by character, a member is there, is gone and is there again: at the
# point of a number the number that was shown is taken away, and with it its member, or the array gets shorter. Digits are shown as if the number
# ended there, so a reader sees 1, 12, nothing, 12.5. An exponent does not do that (1, 1, 1000 for 1e3).
# Seen:   12: {"price":12} / 12.: {} / 12.5: {"price":12.5} / [1: [1] / [1.: [] / 1e: {"n":1}
# Expected by most: what was read once stays until it grows; an unfinished number is held back, or shown to the end.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund partial-json@0.1.7
cat > run.mjs <<'JS'
import { parse } from 'partial-json';
for (const text of ['{"price":1', '{"price":12', '{"price":12.', '{"price":12.5', '{"ratio":[1', '{"ratio":[1.', '{"ratio":[1.5', '{"n":1e', '{"n":1e3']) console.log(text + ' -> ' + JSON.stringify(parse(text)));
JS
echo "partial-json $(node -p "JSON.parse(require('fs').readFileSync('node_modules/partial-json/package.json')).version")"
node run.mjs | tee out
printf '%s\n' '{"price":1 -> {"price":1}' '{"price":12 -> {"price":12}' '{"price":12. -> {}' '{"price":12.5 -> {"price":12.5}' '{"ratio":[1 -> {"ratio":[1]}' '{"ratio":[1. -> {"ratio":[]}' '{"ratio":[1.5 -> {"ratio":[1.5]}' '{"n":1e -> {"n":1}' '{"n":1e3 -> {"n":1000}' | diff out -
