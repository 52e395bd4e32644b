#!/usr/bin/env bash
# csv-string 4.1.1 (npm), a reader of CSV that finds the separator by itself, default settings.
# Behaviour: the separator is the first comma, semicolon, bar or tab of the text, also one inside quotes. A file with semicolons whose first name
# is "name, first" gives [], no error: not one row is left. With the quoted name in the second place all is well. A letter after a closing quote
# ends the record there, so that the rest is a row of its own, and a quote that is not closed (a length in inches) drops its row and all after it.
# Seen:   "name, first";id: [] / id;"name, first": 3 rows / 1,"x"y: two rows, ["1"] and ["y"] / 12" disk at a field's start, "12 disk: the rest is
# gone
# Expected by most: quoted separators do not count when the separator is looked for, and what can not be read is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund csv-string@4.1.1
cat > run.mjs <<'JS'
import CSV from 'csv-string';
const texts = ['"name, first";id\nAda;1\nBob;2\n', 'id;"name, first"\n1;Ada\n2;Bob\n', '"a;b",c\n1,2\n',
  'a,b\n1,"x"y\n3,4\n', 'a,b\n1,"12 disk\n3,4\n5,6\n'];
for (const text of texts) {
  console.log(JSON.stringify(text) + ': separator ' + CSV.detect(text) + ' rows ' + JSON.stringify(CSV.parse(text)));
}
JS
echo "csv-string $(node -p "JSON.parse(require('fs').readFileSync('node_modules/csv-string/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
"\"name, first\";id\nAda;1\nBob;2\n": separator , rows []
"id;\"name, first\"\n1;Ada\n2;Bob\n": separator ; rows [["id","name, first"],["1","Ada"],["2","Bob"]]
"\"a;b\",c\n1,2\n": separator ; rows []
"a,b\n1,\"x\"y\n3,4\n": separator , rows [["a","b"],["1"],["y"],["3","4"]]
"a,b\n1,\"12 disk\n3,4\n5,6\n": separator , rows [["a","b"]]
END
