#!/usr/bin/env bash
# mt940-js 1.0.0 (npm; it also needs tslib, which it does not name), read() of a bank statement with six bookings.
# Behaviour: "isExpense" is true for every booking, also for money that came in. A reversal of a credit (RC), which takes money away, is a credit,
# and has the same id as the credit itself when the rest of the line is the same. The entry date always gets the year of the value date: a booking of
# 2 January 2026 that was entered on 31 December has the entry date 31 December 2026, one of 31 December 2025 entered on 2 January has 2 January 2025.
# Seen:   C 5,00: isExpense true / RC: isCredit true / entry 2026-12-31 / entry 2025-01-02
# Expected by most: isExpense false for money in, RC as money out, and the entry date that is nearest to the value date.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund mt940-js@1.0.0 tslib@2.9.1
cat > read.js <<'JS'
const { read } = require('mt940-js');
console.log('mt940-js', require('mt940-js/package.json').version);
const bookings = [
  ['money in', '2601020102C5,00NTRFA'], ['money out', '2601020102D5,00NTRFA'],
  ['reversal of money in', '2601020102RC5,00NTRFA'], ['reversal of money out', '2601020102RD5,00NTRFA'],
  ['value 2 January, entry 31 December', '2601021231D5,00NTRFA'], ['value 31 December, entry 2 January', '2512310102D5,00NTRFA'],
];
const text = [':20:REF', ':25:DE12/34', ':28C:1/1', ':60F:C260101EUR1000,00',
  ...bookings.flatMap(([name, line]) => [':61:' + line, ':86:' + name]), ':62F:C260105EUR990,00', '-', ''].join('\r\n');
read(Buffer.from(text)).then(([statement]) => {
  const ids = statement.transactions.map(t => t.id);
  for (const t of statement.transactions)
    console.log(t.description, '| isCredit', t.isCredit, 'isExpense', t.isExpense, 'amount', t.amount, '| value', t.valueDate, 'entry', t.entryDate, '| id as booking', ids.indexOf(t.id) + 1);
});
JS
node read.js | tee out
diff out - <<'END'
mt940-js 1.0.0
money in | isCredit true isExpense true amount 5 | value 2026-01-02 entry 2026-01-02 | id as booking 1
money out | isCredit false isExpense true amount 5 | value 2026-01-02 entry 2026-01-02 | id as booking 2
reversal of money in | isCredit true isExpense true amount 5 | value 2026-01-02 entry 2026-01-02 | id as booking 1
reversal of money out | isCredit false isExpense true amount 5 | value 2026-01-02 entry 2026-01-02 | id as booking 2
value 2 January, entry 31 December | isCredit false isExpense true amount 5 | value 2026-01-02 entry 2026-12-31 | id as booking 5
value 31 December, entry 2 January | isCredit false isExpense true amount 5 | value 2025-12-31 entry 2025-01-02 | id as booking 6
END
