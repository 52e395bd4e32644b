#!/usr/bin/env bash
# papaparse 5.7.1 (npm), the usual CSV reader of web pages and of many tools, with `header: true` and its own guess of the delimiter.
# Behaviour: a short file of two columns is read rightly without a line break at its end and wrongly with one. The empty line behind the break
# counts in the guess; with few rows no delimiter is good enough then, and the comma is taken, whatever the file has. So a file of
# semicolons with commas in its texts is cut at these. With three columns, or ten rows, it is well again, and with skipEmptyLines too.
# Seen:   no break at the end: ; name,note / with it: , "name;note" UndetectableDelimiter / skipEmptyLines: ; / twenty rows: ;
# Expected by most: the line break at the end of a text file changes at most the number of rows.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund papaparse@5.7.1
cat > run.cjs <<'JS'
const Papa = require('papaparse');
const text = 'name;note\nAnn;tea, milk\nBob;rice, beans';
const show = (name, file, options) => {
  const { meta, errors } = Papa.parse(file, { header: true, ...options });
  console.log(name + ': ' + [meta.delimiter, JSON.stringify(meta.fields), ...errors.map((error) => error.code).filter((code) => code.startsWith('Undetectable'))].join(' '));
};
show('no break at the end', text);
show('with it', text + '\n');
show('skipEmptyLines', text + '\n', { skipEmptyLines: true });
show('twenty rows', 'name;note\n' + 'Ann;tea, milk\n'.repeat(20));
JS
echo "papaparse $(node -p "JSON.parse(require('fs').readFileSync('node_modules/papaparse/package.json')).version")"
node run.cjs | tee out
printf '%s\n' 'no break at the end: ; ["name","note"]' 'with it: , ["name;note"] UndetectableDelimiter' 'skipEmptyLines: ; ["name","note"]' 'twenty rows: ; ["name","note"]' | diff out -
