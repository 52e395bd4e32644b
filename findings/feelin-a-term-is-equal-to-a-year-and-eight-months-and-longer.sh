#!/usr/bin/env bash
# feelin 8.2.0 (npm), FEEL, the language of decision tables (DMN), in JavaScript.
# Behaviour: "years and months duration" keeps the days, which FEEL drops. The specification's own example, 22 December 2011 to 24 August 2013, is
# P1Y8M2D: equal to P1Y8M and greater than it at the same time, and added to a date it gives two days too many. From 31 January to 29 February it is
# 29 days. A year is equal to 365 days and to 366 days. A text and a number are compared by JavaScript, where FEEL has null.
# Seen:   P1Y8M2D / = true, > true / 2027-09-03 / P29D / P1Y = P365D and = P366D / "10" > 9: true
# Expected by most: P1Y8M, true, false, 2027-09-01, P0M, null, null.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund feelin@8.2.0
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { evaluate } from 'feelin';
console.log('feelin', JSON.parse(readFileSync('node_modules/feelin/package.json')).version);
const term = 'years and months duration(date("2011-12-22"), date("2013-08-24"))';
const february = 'years and months duration(date("2024-01-31"), date("2024-02-29"))';
for (const text of ['string(term)', 'term = duration("P1Y8M")', 'term > duration("P1Y8M")', 'string(date("2026-01-01") + term)', 'term.years * 12 + term.months', 'string(february)',
  'february > duration("P0M")', 'duration("P1Y") = duration("P365D")', 'duration("P1Y") = duration("P366D")', '"10" > 9', '"5" in [1..10]'])
  console.log(text + ': ' + JSON.stringify(evaluate(text.replaceAll('term', term).replaceAll('february', february), {}).value));
JS
node run.mjs | tee out
diff out - <<'END'
feelin 8.2.0
string(term): "P1Y8M2D"
term = duration("P1Y8M"): true
term > duration("P1Y8M"): true
string(date("2026-01-01") + term): "2027-09-03"
term.years * 12 + term.months: 20
string(february): "P29D"
february > duration("P0M"): true
duration("P1Y") = duration("P365D"): true
duration("P1Y") = duration("P366D"): true
"10" > 9: true
"5" in [1..10]: true
END
