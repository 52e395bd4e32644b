#!/usr/bin/env bash
# really-relaxed-json 0.3.2 (npm), toJson(text), "converts RJSON, JSON, or Javascript to a compact JSON string".
# Behaviour: an exponent that is not negative is cut off with the fraction: 1e3 is 1, 2.5E2 is 2, 6.02e23 is 6. Negative exponents are read (1e-3 is 0.001). The parser of
# the same package, createParser().stringToJson(text), keeps all numbers as they are written. Valid JSON is changed in this way too, without an error.
# Seen:   {"n":1e3}: {"n":1} / {"n":2.5E2}: {"n":2} / {"n":1e-3}: {"n":0.001} / by the parser: {"n":1e3}
# Expected by most: the same number.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund really-relaxed-json@0.3.2
cat > run.cjs <<'JS'
const { createParser, toJson } = require('really-relaxed-json');
console.log('really-relaxed-json', require('./node_modules/really-relaxed-json/package.json').version);
for (const text of ['{"n":1e3}', '{"n":2.5E2}', '{"n":6.02e23}', '{"n":1E+2}', '{"n":-1e3}', '{"n":1e-3}', '{"n":1500.5}', '{"n":12345678901234567890}', '{n:2e1 m:[1e2 5]}']) {
  const exact = text.includes('"') ? JSON.stringify(JSON.parse(text)) : 'no JSON';
  console.log(`${text}: ${toJson(text)}; by the parser: ${createParser().stringToJson(text)}; JSON.parse: ${exact}`);
}
JS
node run.cjs | tee out
diff out - <<'END'
really-relaxed-json 0.3.2
{"n":1e3}: {"n":1}; by the parser: {"n":1e3}; JSON.parse: {"n":1000}
{"n":2.5E2}: {"n":2}; by the parser: {"n":2.5E2}; JSON.parse: {"n":250}
{"n":6.02e23}: {"n":6}; by the parser: {"n":6.02e23}; JSON.parse: {"n":6.02e+23}
{"n":1E+2}: {"n":1}; by the parser: {"n":1E+2}; JSON.parse: {"n":100}
{"n":-1e3}: {"n":-1}; by the parser: {"n":-1e3}; JSON.parse: {"n":-1000}
{"n":1e-3}: {"n":0.001}; by the parser: {"n":1e-3}; JSON.parse: {"n":0.001}
{"n":1500.5}: {"n":1500.5}; by the parser: {"n":1500.5}; JSON.parse: {"n":1500.5}
{"n":12345678901234567890}: {"n":12345678901234567000}; by the parser: {"n":12345678901234567890}; JSON.parse: {"n":12345678901234567000}
{n:2e1 m:[1e2 5]}: {"n":2,"m":[1,5]}; by the parser: {"n":2e1,"m":[1e2,5]}; JSON.parse: no JSON
END
