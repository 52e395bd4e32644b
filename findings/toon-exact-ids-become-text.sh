#!/usr/bin/env bash
# @toon-format/toon 4.4.0 (npm), the reference encoder of TOON, a notation that saves tokens beside JSON.
# Behaviour: what a program had and what comes back from encode and decode differ in type. A BigInt above 2^53, which is how exact ids are
# read, is written as a text in quotes and comes back as a text, one below as a number. A member that is undefined is written as
# null and is there afterwards, where JSON leaves it out; so rows that lack a member become a table with null in it. NaN is null.
# Seen:   big: "9007199254740993" / small: 5 / absent: {"u":null,"f":1} / rows: [{"x":1,"y":null},{"x":2,"y":3}]
# Expected by most: a number stays a number, and undefined is left out as JSON does it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @toon-format/toon@4.4.0
cat > run.mjs <<'JS'
import { decode, encode } from '@toon-format/toon';
const there = (value) => JSON.stringify(decode(encode(value)));
console.log('big: ' + JSON.stringify(decode(encode({ id: 9007199254740993n })).id));
console.log('small: ' + JSON.stringify(decode(encode({ id: 5n })).id));
console.log('absent: ' + there({ u: undefined, f: 1 }));
console.log('rows: ' + there([{ x: 1, y: undefined }, { x: 2, y: 3 }]));
JS
echo "@toon-format/toon $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@toon-format/toon/package.json')).version")"
node run.mjs | tee out
printf '%s\n' 'big: "9007199254740993"' 'small: 5' 'absent: {"u":null,"f":1}' 'rows: [{"x":1,"y":null},{"x":2,"y":3}]' | diff out -
