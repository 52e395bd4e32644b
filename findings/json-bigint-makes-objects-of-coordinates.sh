#!/usr/bin/env bash
# json-bigint 1.0.0 (npm), with which large ids are read exactly in JavaScript.
# Behaviour: what counts is the length of the text, not whether a number is whole or large. A number of more than 15 characters, which most results of
# floating-point arithmetic have, is an object: adding two coordinates joins their digits, and JSON.stringify writes them as texts. With useNativeBigInt
# such a number is an error, so a text with 0.30000000000000004 in it can not be read at all. Objects with a key "constructor" are refused.
# Seen:   0.30000000000000004: object / 13.404953999999999 + 1: "13.4049539999999991" / useNativeBigInt: SyntaxError / 0.1: number
# Expected by most: integers above 2^53 become something else, all other numbers stay.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-bigint@1.0.0
cat > run.cjs <<'JS'
const json = require('json-bigint');
const place = json.parse('{"lat":13.404953999999999,"lon":52.5200066,"id":12345678901234567890}');
console.log('kinds: ' + typeof place.lat + ' ' + typeof place.lon + ' ' + typeof place.id);
console.log('13.404953999999999 + 1: ' + JSON.stringify(place.lat + 1));
console.log('JSON.stringify: ' + JSON.stringify(place));
for (const text of ['{"n":0.1}', '{"n":0.30000000000000004}', '{"n":12345678901234567890}', '{"constructor":1}']) {
  try {
    console.log('useNativeBigInt ' + text + ': ' + typeof json({ useNativeBigInt: true }).parse(text).n);
  } catch (error) {
    console.log('useNativeBigInt ' + text + ': ' + error.name);
  }
}
JS
echo "json-bigint $(node -p "require('json-bigint/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
kinds: object number object
13.404953999999999 + 1: "13.4049539999999991"
JSON.stringify: {"lat":"13.404953999999999","lon":52.5200066,"id":"12345678901234567890"}
useNativeBigInt {"n":0.1}: number
useNativeBigInt {"n":0.30000000000000004}: SyntaxError
useNativeBigInt {"n":12345678901234567890}: bigint
useNativeBigInt {"constructor":1}: SyntaxError
END
