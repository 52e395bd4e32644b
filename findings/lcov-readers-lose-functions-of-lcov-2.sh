#!/usr/bin/env bash
# lcov-parse 1.0.0 and parse-lcov 1.0.4 (npm), which coverage reports, gates and bots read LCOV files with.
# Behaviour: both know the format of lcov 1 only. lcov 2 writes the last line of a function into FN as well; then that line is taken for the function's name, and the function has no hits. The records
# FNL and FNA of lcov 2.2, which come in the place of FN and FNDA, are passed over. The totals are those that the file itself states: where LF and LH are left out, as some
# writers do, a file with all its lines listed has found 0 and hit 0. parse-lcov ends a file's name at the colon of a Windows drive, so that all such files are "C".
# Nothing is an error.
# Seen:   FN:3,7,total: function "7" without hits / FNL and FNA: no function / no LF: found 0, details 2 / C:\src\app.js: "C"
# Most would guess: the function total with 2 hits, sums of what is listed, and the whole name.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund lcov-parse@1.0.0 parse-lcov@1.0.4
cat > one.info <<'END'
SF:/src/old.js
FN:3,total
FNDA:2,total
FNF:1
FNH:1
DA:3,2
DA:4,0
LF:2
LH:1
end_of_record
SF:/src/two.js
FN:3,7,total
FNDA:2,total
FNF:1
FNH:1
DA:3,2
DA:4,0
end_of_record
SF:/src/two-two.js
FNL:0,3,7
FNA:0,2,total
FNF:1
FNH:1
DA:3,2
DA:4,0
LF:2
LH:1
end_of_record
SF:C:\src\app.js
DA:1,1
LF:1
LH:1
end_of_record
END
cat > run.cjs <<'JS'
const { readFileSync } = require('node:fs');
const lcovParse = require('lcov-parse');
const parseLcov = require('parse-lcov');
const text = readFileSync('one.info', 'utf8');
function show(name, files) {
  for (const { file, functions, lines } of files) {
    console.log(name, file, JSON.stringify(functions), `lines ${lines.hit} of ${lines.found}, ${lines.details.length} listed`);
  }
}
lcovParse(text, (error, files) => {
  show('lcov-parse', files);
  show('parse-lcov', (parseLcov.default ?? parseLcov)(text));
});
JS
for package in lcov-parse parse-lcov; do echo "$package $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version")"; done
node run.cjs | tee out
diff out - <<'END'
lcov-parse /src/old.js {"hit":1,"found":1,"details":[{"name":"total","line":3,"hit":2}]} lines 1 of 2, 2 listed
lcov-parse /src/two.js {"hit":1,"found":1,"details":[{"name":"7","line":3}]} lines 0 of 0, 2 listed
lcov-parse /src/two-two.js {"hit":1,"found":1,"details":[]} lines 1 of 2, 2 listed
lcov-parse C:\src\app.js {"hit":0,"found":0,"details":[]} lines 1 of 1, 1 listed
parse-lcov /src/old.js {"found":1,"hit":1,"details":[{"name":"total","line":3,"hit":2}]} lines 1 of 2, 2 listed
parse-lcov /src/two.js {"found":1,"hit":1,"details":[{"name":"7","line":3}]} lines 0 of 0, 2 listed
parse-lcov /src/two-two.js {"found":1,"hit":1,"details":[]} lines 1 of 2, 2 listed
parse-lcov C {"found":0,"hit":0,"details":[]} lines 1 of 1, 1 listed
END
