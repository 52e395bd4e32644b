#!/usr/bin/env bash
# any-date-parser 2.2.4 (npm), which reads dates of any format and any locale; fromString(text) with the locale en-US that it has by default.
# Behaviour: where the first number is no month, the reader takes fewer digits of the text rather than the other order. 31/12/2024 is the 12th of January: the 3 is thrown away.
# 13/01/2024 is the first of March. So the last days of a month land in other months, each a valid date, while the 20th of May comes out right and 31.12.2024 with dots too.
# 2024-13-01 is in the year 2001, 2024-02-30 and 30 Feb are the first of March, and an IP address or a version is a day of this year.
# Seen:   31/12/2024: 2024-01-12 / 13/01/2024: 2024-03-01 / 25/12/2024: 2024-05-12 / 20/05/2024: 2024-05-20 / 2024-13-01: 2001-04-13
# Most would guess: the 31st of December, or an invalid date.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund any-date-parser@2.2.4
cat > run.mjs <<'JS'
import parser from 'any-date-parser';
for (const text of ['12/31/2024', '31/12/2024', '31/12/24', '31-12-2024', '31.12.2024', '13/01/2024', '20/05/2024', '25/12/2024',
  '2024-13-01', '2024-02-30', '30 Feb 2024', '192.168.1.1']) {
  const date = parser.fromString(text);
  const year = new Date().getUTCFullYear();
  console.log(`${text}: ${date.invalid ? 'invalid' : date.toISOString().slice(0, 10).replace(`${year}-`, 'this year ')}`);
}
for (const locale of ['en-GB', 'de-DE']) console.log(`31/12/2024 in ${locale}: ${parser.fromString('31/12/2024', locale).toISOString().slice(0, 10)}`);
JS
echo "any-date-parser $(node -p "JSON.parse(require('fs').readFileSync('node_modules/any-date-parser/package.json')).version")"
TZ=UTC node run.mjs | tee out
diff out - <<'END'
12/31/2024: 2024-12-31
31/12/2024: 2024-01-12
31/12/24: 2024-01-12
31-12-2024: 2024-01-12
31.12.2024: 2024-12-31
13/01/2024: 2024-03-01
20/05/2024: 2024-05-20
25/12/2024: 2024-05-12
2024-13-01: 2001-04-13
2024-02-30: 2024-03-01
30 Feb 2024: 2024-03-01
192.168.1.1: this year 01-02
31/12/2024 in en-GB: 2024-12-31
31/12/2024 in de-DE: 2024-12-31
END
