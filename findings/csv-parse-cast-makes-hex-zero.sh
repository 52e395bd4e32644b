#!/usr/bin/env bash
# csv-parse 7.0.3 (npm), a much used CSV reader in JavaScript, with `cast: true`.
# Behaviour: what JavaScript can take for a number is cast, and the cast reads decimal digits only. So values with 0x, 0o or 0b are all the
# number 0: colours, addresses and hashes of a column become equal. Ids above 2^53 are rounded, zeros at the start are gone.
# Seen:   0x1F, 0xff8800, 0o17, 0b11: 0 / 007: 7 / 9007199254740993: 9007199254740992 / 12abc: "12abc"
# Expected by most: 31 for 0x1F, or the text as it stands.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund csv-parse@7.0.3
cat > run.mjs <<'JS'
import { parse } from 'csv-parse/sync';
const values = ['0x1F', '0xff8800', '0o17', '0b11', '007', '9007199254740993', '12abc'];
const rows = parse('value\n' + values.join('\n') + '\n', { columns: true, cast: true });
rows.forEach((row, at) => console.log(values[at] + ': ' + JSON.stringify(row.value)));
JS
echo "csv-parse $(node -p "JSON.parse(require('fs').readFileSync('node_modules/csv-parse/package.json')).version")"
node run.mjs | tee out
printf '%s\n' '0x1F: 0' '0xff8800: 0' '0o17: 0' '0b11: 0' '007: 7' '9007199254740993: 9007199254740992' '12abc: "12abc"' | diff out -
