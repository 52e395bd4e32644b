#!/usr/bin/env bash
# jsonrepair 3.15.0 (npm), what many hosts mend the arguments of a model with.
# Behaviour: it takes Python's True and None, but NaN and numbers with a leading zero become texts, so a value changes its type; an exponent
# without digits gets a zero; two documents in a row become one array, while two with a word between them, or a word before one, are
# refused; a member that stands twice stays twice.
# Seen:   NaN -> {"a":"NaN"} / 007 -> {"a":"007"} / 1e -> {"a":1e0} / two lines -> an array / "Here: {…}" -> throws
# Expected by most: null or an error for NaN, 7 for 007, the first document or an error, and the JSON behind a word.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jsonrepair@3.15.0
cat > run.cjs <<'JS'
const { jsonrepair } = require('jsonrepair');
const tried = { 'NaN': '{"a":NaN}', 'zero': '{"a":007}', 'exponent': '{"a":1e}', 'python': "{'a':None,'b':True}", 'two': '{"a":1}\n{"a":2}', 'word': 'Here: {"a":1}', 'twice': '{"a":1,"a":2}' };
for (const [name, text] of Object.entries(tried)) {
  let came;
  try { came = jsonrepair(text).replace(/\n/g, ''); } catch { came = 'throws'; }
  console.log(name + ': ' + came);
}
JS
echo "jsonrepair $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jsonrepair/package.json')).version")"
node run.cjs | tee out
printf '%s\n' 'NaN: {"a":"NaN"}' 'zero: {"a":"007"}' 'exponent: {"a":1e0}' 'python: {"a":null,"b":true}' 'two: [{"a":1},{"a":2}]' 'word: throws' 'twice: {"a":1,"a":2}' | diff out -
