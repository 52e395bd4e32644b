#!/usr/bin/env bash
# jsedn 0.4.1 (npm), data of Clojure, parse, toJS and encode.
# Behaviour: of the escapes in a text only the quote and the backslash are read. \n and \t stay a backslash and a letter, so lines do not break, and encode writes the
# backslash doubled: the text is another one from then on. \u00e9 loses its backslash. An integer of 15 digits or more becomes a text.
# A document that begins with a part to be skipped (#_) is an empty text; what follows is not read.
# Seen:   "one\ntwo": one\ntwo in one line, written as "one\\ntwo" / "caf\u00e9": cafu00e9 / 12345678901234567890: the text / #_ 1 {:a 2}: ""
# Expected by most: two lines, the accent, a number or an error, {":a": 2}.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jsedn@0.4.1
cat > run.cjs <<'JS'
const edn = require('jsedn');
console.log('jsedn', require('./node_modules/jsedn/package.json').version);
for (const text of [String.raw`"one\ntwo\tthree"`, String.raw`"caf\u00e9"`, String.raw`"say \"hi\""`, '12345678901234567890', '123456789012345', '#_ 1 {:a 2}']) {
  const value = edn.toJS(edn.parse(text));
  let again = text;
  for (let round = 0; round < 2; round += 1) again = edn.encode(edn.parse(again));
  console.log(`${text}: ${typeof value === 'object' ? JSON.stringify(value) : `${typeof value} ${value}`}; after two rounds ${again}`);
}
JS
node run.cjs | tee out
diff out - <<'END'
jsedn 0.4.1
"one\ntwo\tthree": string one\ntwo\tthree; after two rounds "one\\ntwo\\tthree"
"caf\u00e9": string cafu00e9; after two rounds "cafu00e9"
"say \"hi\"": string say "hi"; after two rounds "say \"hi\""
12345678901234567890: string 12345678901234567890; after two rounds 12345678901234567890
123456789012345: string 123456789012345; after two rounds 123456789012345
#_ 1 {:a 2}: string ; after two rounds ""
END
