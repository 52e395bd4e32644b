#!/usr/bin/env bash
# envfile 7.1.0 (npm), stringify of an object and parse of what it wrote; and parse of a file as shells and dotenv write it.
# Behaviour: values are written without quotes and read with all quotes taken out, also those within: {"a":1} comes back as {a:1}, it's as its. Of a value of
# two lines the second is lost, or becomes a variable of its own when it has an equals sign. Blanks at the ends are cut off. "export A=1" is a
# variable with the name "export A".
# Seen:   {a:1} / its / first / {"export A":"1"}
# Expected by most: what was written is read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund envfile@7.1.0
cat > through.mjs <<'JS'
import fs from 'fs';
import * as envfile from 'envfile';
const { parse, stringify } = envfile.parse ? envfile : envfile.default;
console.log('envfile', JSON.parse(fs.readFileSync('node_modules/envfile/package.json')).version);
const values = { plain: 'two words', json: '{"a":1}', word: "it's", lines: 'first\nsecond', key: 'BEGIN\nid=7\nEND', ends: ' x ', sum: 'a=b' };
const back = parse(stringify(values));
for (const name of new Set([...Object.keys(values), ...Object.keys(back)]))
  console.log(name, '|', JSON.stringify(values[name]), '|', JSON.stringify(back[name]), values[name] === back[name] ? '' : '| changed');
for (const line of ['export A=1', 'B="say \\"hi\\""', 'C=\'{"a": "b"}\'', 'D=5 # five'])
  console.log(line, '|', JSON.stringify(parse(line)));
JS
node through.mjs | tee out
diff out - <<'END'
envfile 7.1.0
plain | "two words" | "two words" 
json | "{\"a\":1}" | "{a:1}" | changed
word | "it's" | "its" | changed
lines | "first\nsecond" | "first" | changed
key | "BEGIN\nid=7\nEND" | "BEGIN" | changed
ends | " x " | "x" | changed
sum | "a=b" | "a=b" 
id | undefined | "7" | changed
export A=1 | {"export A":"1"}
B="say \"hi\"" | {"B":"say \\hi\\"}
C='{"a": "b"}' | {"C":"{a: b}"}
D=5 # five | {"D":"5 # five"}
END
