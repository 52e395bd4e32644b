#!/usr/bin/env bash
# plist 5.0.0 (npm), property lists of Apple: build and parse (XML), parseOpenStep (the old text form), default settings.
# Behaviour: a number of 1e21 or more is written <integer>1e+21</integer> and read back as 1. build() takes a BigInt, parse() reads it into a number that has lost its end.
# null and undefined in a list are left out, so all behind them move up by one. <integer>0x1F</integer>, which the reader of Apple knows, is 0, as is a real that is written 0x1p3.
# The text form without braces, the form of each .strings file with translations, is read up to its first word: the answer is that word, without an error.
# Seen:   1e21: 1 / 9007199254740993n: 9007199254740992 / [1, null, "x"]: [1, "x"] / "title" = "Hello"; "quit" = "Quit";: the text title
# Expected by most: the number, the same number, three members, an object of two texts, or errors.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund plist@5.0.0
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { build, parse, parseOpenStep } from 'plist';
console.log('plist', JSON.parse(readFileSync('node_modules/plist/package.json')).version);
const text = (value) => JSON.stringify(value, (key, part) => (typeof part === 'bigint' ? `${part}n` : part));
for (const value of [1e20, 1e21, 2.5e30, 9007199254740993n, [1, null, 'x'], { a: null, b: 1 }]) {
  const xml = build(value);
  console.log(`${text(value)}: ${text(parse(xml))}`);
}
console.log(build(1e21).match(/<integer>.*<\/integer>/)[0]);
for (const part of ['<integer>0x1F</integer>', '<integer>-0x10</integer>', '<real>0x1p3</real>']) console.log(`${part}: ${parse(`<plist version="1.0">${part}</plist>`)}`);
for (const part of ['{ title = "Hello"; quit = "Quit"; }', '"title" = "Hello";\n"quit" = "Quit";']) console.log(`${text(part)}: ${text(parseOpenStep(part))}`);
JS
node run.mjs | tee out
diff out - <<'END'
plist 5.0.0
100000000000000000000: 100000000000000000000
1e+21: 1
2.5e+30: 2
"9007199254740993n": 9007199254740992
[1,null,"x"]: [1,"x"]
{"a":null,"b":1}: {"b":1}
<integer>1e+21</integer>
<integer>0x1F</integer>: 0
<integer>-0x10</integer>: 0
<real>0x1p3</real>: 0
"{ title = \"Hello\"; quit = \"Quit\"; }": {"title":"Hello","quit":"Quit"}
"\"title\" = \"Hello\";\n\"quit\" = \"Quit\";": "title"
END
