#!/usr/bin/env bash
# @formulajs/formulajs 4.6.1 (npm), "JavaScript implementation of most Excel formulas", as servers for sheets and calculations use it.
# Behaviour: MEDIAN counts what is no number: words come in as places of the list, and an empty cell too. So the median of 5, "n/a", 10, 20 is 7.5, and that of
# 1, "x", 3, an empty cell and 100 is 1. SUMIF and COUNTIF ask for the same capitals and take * for a star. SORT puts numbers in the order of their letters.
# TEXT has no leading zeros, VALUE makes a plus of money in brackets, DAYS360 counts 30 days to 28 February, and XIRR of a loss is no number.
# Seen:   MEDIAN 7.5 and 1 / SUMIF red 1 / COUNTIF appl* 0 / SORT 1, 10, 9 / TEXT 7 / VALUE 5 / DAYS360 30 / XIRR NaN
# Expected by most: as Excel: 10 and 3 / 3 / 2 / 1, 9, 10 / 007 / -5 / 28 / -0.484
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @formulajs/formulajs@4.6.1
cat > run.mjs <<'JS'
import * as sheet from '@formulajs/formulajs';
import { readFileSync } from 'node:fs';

console.log('formulajs', JSON.parse(readFileSync('node_modules/@formulajs/formulajs/package.json')).version);
const days = ['2024-01-01', '2024-07-01', '2025-01-01'];
const show = (name, value) => console.log(name + ': ' + (typeof value === 'string' ? value : Number.isNaN(value) ? 'NaN' : JSON.stringify(value)));
show('MEDIAN of 5, 10, 20', sheet.MEDIAN([5, 10, 20]));
show('MEDIAN of 5, n/a, 10, 20', sheet.MEDIAN([5, 'n/a', 10, 20]));
show('MEDIAN of 1, x, 3, empty, 100', sheet.MEDIAN([1, 'x', 3, null, 100]));
show('AVERAGE of 5, n/a, 10, 20, rounded', sheet.ROUND(sheet.AVERAGE([5, 'n/a', 10, 20]), 2));
show('SUMIF red of red, Red, blue', sheet.SUMIF(['red', 'Red', 'blue'], 'red', [1, 2, 4]));
show('COUNTIF appl* of apple, apples, pear', sheet.COUNTIF(['apple', 'apples', 'pear'], 'appl*'));
show('SORT of 9, 10, 1', sheet.SORT([[9], [10], [1]]).flat());
show('TEXT of 7 as 000', sheet.TEXT(7, '000'));
show('VALUE of (5)', sheet.VALUE('(5)'));
show('VALUE of -5', sheet.VALUE('-5'));
show('DAYS360 from 31 January to 28 February', sheet.DAYS360('2025-01-31', '2025-02-28'));
show('XIRR of -1000, 300, 300', sheet.XIRR([-1000, 300, 300], days));
show('the same with a first guess of -0.4', Math.round(sheet.XIRR([-1000, 300, 300], days, -0.4) * 1000) / 1000);
JS
node run.mjs | tee out
diff out - <<'END'
formulajs 4.6.1
MEDIAN of 5, 10, 20: 10
MEDIAN of 5, n/a, 10, 20: 7.5
MEDIAN of 1, x, 3, empty, 100: 1
AVERAGE of 5, n/a, 10, 20, rounded: 11.67
SUMIF red of red, Red, blue: 1
COUNTIF appl* of apple, apples, pear: 0
SORT of 9, 10, 1: [1,10,9]
TEXT of 7 as 000: 7
VALUE of (5): 5
VALUE of -5: -5
DAYS360 from 31 January to 28 February: 30
XIRR of -1000, 300, 300: NaN
the same with a first guess of -0.4: -0.484
END
