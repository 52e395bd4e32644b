#!/usr/bin/env bash
# dotenv-stringify 3.0.1 (npm) writes, dotenv 18.0.10 (npm) reads; the README says that the format is that of dotenv.
# Behaviour: a value with a double quote is written in double quotes with a backslash before the quote. dotenv does not take such a backslash away,
# so the value has it when it is read, then three of them, then seven. JSON is written without quotes and stays, so a test with {"a": 1} shows nothing;
# with a # in a text of it, it is put in quotes and is cut at the #. A value in backticks loses them.
# Seen:   say "hi" -> say \"hi\" -> say \\\"hi\\\" / {"colour": "#fff"} -> {"colour": " -> {\"colour\": \" / `x` -> x
# Expected by most: what dotenv reads is what was written.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund dotenv-stringify@3.0.1 dotenv@18.0.10
cat > run.cjs <<'JS'
const { parse } = require('dotenv');
const module_ = require('dotenv-stringify');
const stringify = module_.default ?? module_;
let values = { PLAIN: 'a b', LINES: 'one\ntwo', HASH: 'a#b', JSON: '{"a": 1}', COLOUR: '{"colour": "#fff"}', QUOTE: 'say "hi"', TICKS: '`x`', SINGLE: "it's" };
for (const round of ['first', 'second', 'third']) {
  const text = stringify(values);
  console.log(`== ${round} save\n${text.trim()}`);
  const read = parse(text);
  for (const name of Object.keys(values)) if (read[name] !== values[name]) console.log(`-- ${name} was ${values[name]} and is ${read[name]}`);
  values = read;
}
JS
echo "dotenv-stringify $(node -p "JSON.parse(require('fs').readFileSync('node_modules/dotenv-stringify/package.json')).version")" >&2
node run.cjs | tee out
diff out - <<'END'
== first save
PLAIN="a b"
LINES="one\ntwo"
HASH="a#b"
JSON={"a": 1}
COLOUR={"colour": "#fff"}
QUOTE="say \"hi\""
TICKS=`x`
SINGLE="it's"
-- COLOUR was {"colour": "#fff"} and is {"colour": "
-- QUOTE was say "hi" and is say \"hi\"
-- TICKS was `x` and is x
== second save
PLAIN="a b"
LINES="one\ntwo"
HASH="a#b"
JSON={"a": 1}
COLOUR="{\"colour\": \""
QUOTE="say \\\"hi\\\""
TICKS=x
SINGLE="it's"
-- COLOUR was {"colour": " and is {\"colour\": \"
-- QUOTE was say \"hi\" and is say \\\"hi\\\"
== third save
PLAIN="a b"
LINES="one\ntwo"
HASH="a#b"
JSON={"a": 1}
COLOUR="{\\\"colour\\\": \\\""
QUOTE="say \\\\\\\"hi\\\\\\\""
TICKS=x
SINGLE="it's"
-- COLOUR was {\"colour\": \" and is {\\\"colour\\\": \\\"
-- QUOTE was say \\\"hi\\\" and is say \\\\\\\"hi\\\\\\\"
END
