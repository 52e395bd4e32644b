#!/usr/bin/env bash
# hyperformula 3.5.0 (npm), the engine that computes sheets without a spreadsheet program; @formulajs/formulajs 4.6.1 (npm), the same functions, beside it.
# Behaviour: valid formulas give other values than spreadsheets do, without an error. INT cuts towards zero, so that -2.5 is -2. A month from 31 January 2024 is 28 February, though the year
# has a 29th, while EOMONTH knows it. 30 December 2024 is in ISO week 53 rather than 1. TEXT knows neither % nor the sign for thousands nor names: 25.6 per cent are "0.3%", 1234.5 is
# "1235,##0.00", a weekday is "1515". In formulajs these are right; there the second a of "aaa" is the third, and COUNTIF finds nothing for "bolt*".
# Seen:   INT(-2.5): -2 / EDATE(2024-01-31, 1): 28 February / TEXT(0.256, "0.0%"): 0.3% / TEXT(1234.5, "#,##0.00"): 1235,##0.00 / formulajs SUBSTITUTE("aaa", "a", "b", 2): aab
# Most would guess: what Excel, LibreOffice and Google's sheets give, -3, 29 February, 25.6% and 1,234.50.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund hyperformula@3.5.0 @formulajs/formulajs@4.6.1
cat > run.mjs <<'JS'
import { HyperFormula } from 'hyperformula';
import * as formulajs from '@formulajs/formulajs';
const sheet = HyperFormula.buildFromSheets({ S: [['Bolt 3'], ['bolt'], ['nut']] }, { licenseKey: 'gpl-v3' });
for (const formula of [
  '=INT(-2.5)', '=ROUNDDOWN(-2.5,0)', '=EDATE(DATE(2024,1,31),1)-DATE(2024,2,1)+1', '=EDATE(DATE(2024,3,31),-1)-DATE(2024,2,1)+1', '=DAY(EOMONTH(DATE(2024,1,31),1))', '=ISOWEEKNUM(DATE(2024,12,30))',
  '=TEXT(0.256,"0.0%")', '=TEXT(1234.5,"#,##0.00")', '=TEXT(1234.5,"0.00")', '=TEXT(DATE(2023,3,15),"d mmm yyyy")', '=TEXT(DATE(2023,3,15),"dddd")', '=TEXT(DATE(2023,3,15),"yyyy-mm-dd")', '=SUBSTITUTE("aaa","a","b",2)', '=COUNTIF(A1:A3,"bolt*")',
]) console.log(`hyperformula ${formula}: ${sheet.calculateFormula(formula, 0)}`);
const day = (date) => `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
console.log(`formulajs INT: ${formulajs.INT(-2.5)}, EDATE: ${day(new Date(formulajs.EDATE(new Date(2024, 0, 31), 1)))}, ISOWEEKNUM: ${formulajs.ISOWEEKNUM(new Date(2024, 11, 30))}, TEXT: ${formulajs.TEXT(0.256, '0.0%')} ${formulajs.TEXT(1234.5, '#,##0.00')}`);
console.log(`formulajs SUBSTITUTE("aaa","a","b",2): ${formulajs.SUBSTITUTE('aaa', 'a', 'b', 2)}, COUNTIF bolt*: ${formulajs.COUNTIF(['Bolt 3', 'bolt', 'nut'], 'bolt*')}`);
JS
for name in hyperformula @formulajs/formulajs; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
hyperformula =INT(-2.5): -2
hyperformula =ROUNDDOWN(-2.5,0): -2
hyperformula =EDATE(DATE(2024,1,31),1)-DATE(2024,2,1)+1: 28
hyperformula =EDATE(DATE(2024,3,31),-1)-DATE(2024,2,1)+1: 28
hyperformula =DAY(EOMONTH(DATE(2024,1,31),1)): 29
hyperformula =ISOWEEKNUM(DATE(2024,12,30)): 53
hyperformula =TEXT(0.256,"0.0%"): 0.3%
hyperformula =TEXT(1234.5,"#,##0.00"): 1235,##0.00
hyperformula =TEXT(1234.5,"0.00"): 1234.50
hyperformula =TEXT(DATE(2023,3,15),"d mmm yyyy"): 15 030 2023
hyperformula =TEXT(DATE(2023,3,15),"dddd"): 1515
hyperformula =TEXT(DATE(2023,3,15),"yyyy-mm-dd"): 2023-03-15
hyperformula =SUBSTITUTE("aaa","a","b",2): aba
hyperformula =COUNTIF(A1:A3,"bolt*"): 2
formulajs INT: -3, EDATE: 2024-2-29, ISOWEEKNUM: 1, TEXT: 25.6% 1,234.50
formulajs SUBSTITUTE("aaa","a","b",2): aab, COUNTIF bolt*: 0
END
