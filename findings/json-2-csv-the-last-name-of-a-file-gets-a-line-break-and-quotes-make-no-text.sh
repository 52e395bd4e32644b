#!/usr/bin/env bash
# json-2-csv 5.6.0 (npm), csv2json(); csv-parse 7.0.3 (npm) asked the same.
# Behaviour: where a file ends with a line break, as most do, the last value of the last row has it at its end when it is a text without quotes: "Bob\n" is not
# "Bob". A number there is not touched. An empty line at the end is a record. Quotes do not make a text: "5" and "1.10" become 5 and 1.1, an id of 20 digits
# another one, and a text of brackets becomes a list. So what its own json2csv() wrote of texts comes back as numbers.
# Seen:   "id,name\n1,Ann\n2,Bob\n": the last name is "Bob\n" / "v\n\"1.10\"": 1.1
# Expected by most: "Bob" and "1.10".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts json-2-csv@5.6.0 csv-parse@7.0.3 2> /dev/null
cat > run.mjs <<'JS'
import { csv2json, json2csv } from 'json-2-csv';
import { parse } from 'csv-parse/sync';
const texts = ['id,name\n1,Ann\n2,Bob\n', 'id,name\n1,Ann\n2,Bob', 'name,id\nAnn,1\nBob,2\n', 'id,name\n1,Ann\n\n', 'v\n"1.10"', 'v\n"12345678901234567890"', 'v\n"[1]"'];
for (const text of texts) {
  console.log(`${JSON.stringify(text)}\n    json-2-csv: ${JSON.stringify(csv2json(text))}\n    csv-parse:  ${JSON.stringify(parse(text, { columns: true, skip_empty_lines: true }))}`);
}
console.log(`there and back: ${JSON.stringify(csv2json(json2csv([{ version: '1.10', zip: '94105' }])))}`);
JS
for one in json-2-csv csv-parse; do echo "$one $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$one/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
"id,name\n1,Ann\n2,Bob\n"
    json-2-csv: [{"id":1,"name":"Ann"},{"id":2,"name":"Bob\n"}]
    csv-parse:  [{"id":"1","name":"Ann"},{"id":"2","name":"Bob"}]
"id,name\n1,Ann\n2,Bob"
    json-2-csv: [{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]
    csv-parse:  [{"id":"1","name":"Ann"},{"id":"2","name":"Bob"}]
"name,id\nAnn,1\nBob,2\n"
    json-2-csv: [{"name":"Ann","id":1},{"name":"Bob","id":2}]
    csv-parse:  [{"name":"Ann","id":"1"},{"name":"Bob","id":"2"}]
"id,name\n1,Ann\n\n"
    json-2-csv: [{"id":1,"name":"Ann"},{"id":"\n"}]
    csv-parse:  [{"id":"1","name":"Ann"}]
"v\n\"1.10\""
    json-2-csv: [{"v":1.1}]
    csv-parse:  [{"v":"1.10"}]
"v\n\"12345678901234567890\""
    json-2-csv: [{"v":12345678901234567000}]
    csv-parse:  [{"v":"12345678901234567890"}]
"v\n\"[1]\""
    json-2-csv: [{"v":[1]}]
    csv-parse:  [{"v":"[1]"}]
there and back: [{"version":1.1,"zip":94105}]
END
