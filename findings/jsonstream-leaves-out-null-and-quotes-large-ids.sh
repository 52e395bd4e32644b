#!/usr/bin/env bash
# JSONStream 1.3.5 (npm), still the most used reader of large JSON files in pieces, with patterns such as rows.*.
# Behaviour: an element that is null is not given out, so that a list of three has two, and positions are others than in the file; false and 0 are
# given out. An integer with more than fifteen or so digits that is no exact number becomes a text, with its digits, while the one beside it is a
# number: a list of ids has two types. With ..id the search stops at the first id on the way down.
# Seen:   [1,null,2]: 1, 2 / [12345678901234567890, 5]: "12345678901234567890", 5 / {"a":{"id":1,"b":{"id":2}}} ..id: 1
# Expected by most: the elements that JSON.parse has.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund JSONStream@1.3.5
cat > run.cjs <<'JS'
const { Readable } = require('node:stream');
const JSONStream = require('JSONStream');
const read = (text, pattern) => new Promise((resolve, reject) => {
  const found = [];
  Readable.from([text]).pipe(JSONStream.parse(pattern)).on('data', (value) => found.push(value)).on('end', () => resolve(found)).on('error', reject);
});
(async () => {
  for (const [text, pattern] of [
    ['[1,null,2]', '*'],
    ['{"rows":[{"v":null},null,false,0,""]}', 'rows.*'],
    ['{"rows":[{"v":null},{"v":1}]}', 'rows.*.v'],
    ['[12345678901234567890,5,9007199254740993,9007199254740992]', '*'],
    ['[{"id":12345678901234567890},{"id":5}]', '*'],
    ['{"a":{"id":1,"b":{"id":2}},"c":{"id":3}}', '..id'],
  ]) console.log(`${text} ${pattern}: ${JSON.stringify(await read(text, pattern))}`);
})();
JS
echo "JSONStream $(node -p "require('./node_modules/JSONStream/package.json').version")"
node run.cjs | tee out
diff out - <<'END'
[1,null,2] *: [1,2]
{"rows":[{"v":null},null,false,0,""]} rows.*: [{"v":null},false,0,""]
{"rows":[{"v":null},{"v":1}]} rows.*.v: [1]
[12345678901234567890,5,9007199254740993,9007199254740992] *: ["12345678901234567890",5,"9007199254740993",9007199254740992]
[{"id":12345678901234567890},{"id":5}] *: [{"id":"12345678901234567890"},{"id":5}]
{"a":{"id":1,"b":{"id":2}},"c":{"id":3}} ..id: [1,3]
END
