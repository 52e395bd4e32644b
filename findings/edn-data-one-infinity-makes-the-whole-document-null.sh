#!/usr/bin/env bash
# edn-data 1.2.2 (npm), data of Clojure, parseEDNString and toEDNString.
# Behaviour: Clojure writes infinite and undefined numbers as ##Inf, ##-Inf and ##NaN. One of them anywhere, and the answer for the whole document is null, which is also what nil
# gives; there is no error. A document that was cut off is null likewise. The package itself writes such numbers as Infinity and NaN, which are symbols: they come back as {"sym": "Infinity"}.
# Hexadecimal and octal numbers of Clojure, and ratios, become symbols as well.
# Seen:   {:ok 1 :ratio ##Inf}: null / {:ok 1 :items [1 2: null / Infinity, written and read: {"sym":"Infinity"} / 1/3: {"sym":"1/3"}
# Expected by most: the number, or an error; and no answer that means nil.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund edn-data@1.2.2
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { parseEDNString, toEDNString } from 'edn-data';
console.log('edn-data', JSON.parse(readFileSync('node_modules/edn-data/package.json')).version);
const read = (text) => parseEDNString(text, { mapAs: 'object', keywordAs: 'string' });
for (const text of ['{:ok 1 :ratio 0.5}', '{:ok 1 :ratio ##Inf}', '[1 2 ##NaN]', '{:ok 1 :items [1 2', 'nil', '{:part 1/3}', '[0x1F 017]']) console.log(`${text}: ${JSON.stringify(read(text))}`);
for (const value of [[1, Infinity], [1, NaN]]) {
  const text = toEDNString(value);
  console.log(`written: ${text}, read: ${JSON.stringify(read(text))}`);
}
JS
node run.mjs | tee out
diff out - <<'END'
edn-data 1.2.2
{:ok 1 :ratio 0.5}: {"ok":1,"ratio":0.5}
{:ok 1 :ratio ##Inf}: null
[1 2 ##NaN]: null
{:ok 1 :items [1 2: null
nil: null
{:part 1/3}: {"part":{"sym":"1/3"}}
[0x1F 017]: [{"sym":"0x1F"},{"sym":"017"}]
written: [1 Infinity], read: [1,{"sym":"Infinity"}]
written: [1 NaN], read: [1,{"sym":"NaN"}]
END
