#!/usr/bin/env bash
# incomplete-json-parser 1.1.5 (npm), "a JSON parser that can parse incomplete JSON strings", write and getObjects, or parse.
# Behaviour: in a list the e of an exponent and its sign are passed over and the digits go on: 1e3 is 13, 2.5e-3 is 2.53, 1E+2 is 12. This is so for whole, valid documents. Directly in an object it is an error.
# What is open when the text ends is given as if it were final: of -12.50 it shows 0, then -1, -12 and -12.5, and a key without its value is null, which is also the value null.
# An empty object in a list is an error too.
# Seen:   [1e3]: [13] / {"n":[2.5e-3,1E+2]}: {"n":[2.53,12]} / {"n":-: {"n":0} / {"n": : {"n":null}
# Expected by most: 1000, 0.0025, and no value that nobody wrote.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund incomplete-json-parser@1.1.5
cat > run.cjs <<'JS'
const { IncompleteJsonParser } = require('incomplete-json-parser');
console.log('incomplete-json-parser', require('./node_modules/incomplete-json-parser/package.json').version);
for (const text of ['[1e3]', '[6.02e23,1]', '{"n":[2.5e-3,1E+2]}', '{"n":1e3}', '{"n":1000}', '{"n":-', '{"n":', '{"n":null', '[1,{}]', '[{"a":1},[]]']) {
  let value;
  try {
    value = JSON.stringify(IncompleteJsonParser.parse(text));
  } catch (error) {
    value = `error, ${error.message}`;
  }
  let exact = 'not whole';
  try {
    exact = JSON.stringify(JSON.parse(text));
  } catch {}
  console.log(`${text}: ${value}; JSON.parse: ${exact}`);
}
const parser = new IncompleteJsonParser();
const shown = [];
for (const letter of '{"total":-12.50}') {
  parser.write(letter);
  const now = JSON.stringify(parser.getObjects());
  if (shown.at(-1) !== now) shown.push(now);
}
console.log('as it comes in:', shown.join(' '));
JS
node run.cjs | tee out
diff out - <<'END'
incomplete-json-parser 1.1.5
[1e3]: [13]; JSON.parse: [1000]
[6.02e23,1]: [6.0223,1]; JSON.parse: [6.02e+23,1]
{"n":[2.5e-3,1E+2]}: {"n":[2.53,12]}; JSON.parse: {"n":[0.0025,100]}
{"n":1e3}: error, Expected comma, got e; JSON.parse: {"n":1000}
{"n":1000}: {"n":1000}; JSON.parse: {"n":1000}
{"n":-: {"n":0}; JSON.parse: not whole
{"n":: {"n":null}; JSON.parse: not whole
{"n":null: {"n":null}; JSON.parse: not whole
[1,{}]: error, Expected ", got }; JSON.parse: [1,{}]
[{"a":1},[]]: [{"a":1},[]]; JSON.parse: [{"a":1},[]]
as it comes in: {} {"t":null} {"to":null} {"tot":null} {"tota":null} {"total":null} {"total":0} {"total":-1} {"total":-12} {"total":-12.5}
END
