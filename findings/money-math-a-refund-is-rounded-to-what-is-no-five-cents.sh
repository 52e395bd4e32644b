#!/usr/bin/env bash
# money-math 2.6.3 (npm), sums of money as texts such as "-42.10".
# Behaviour: roundTo5Cents and roundUpTo5Cents are right for amounts above nought only. -10.03 is rounded to -9.95 and -0.03 to plus 0.05; rounded up it is -10.01, which is no multiple of five cents.
# mul is a cent off for a loss with half a cent: half of -1.15 is -0.56, half of 1.15 is 0.58; without half a cent it is right. cmp gives the difference in cents, not 1.
# Seen:   roundTo5Cents -10.03: -9.95, 10.03: 10.05 / roundUpTo5Cents -10.03: -10.01 / mul 1.15 0.50: 0.58, -1.15: -0.56
# Expected by most: -10.05 and -10.00; 0.58 and -0.58 or -0.57.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund money-math@2.6.3
cat > run.mjs <<'JS'
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const money = require('money-math');
console.log('money-math', require('money-math/package.json').version);
for (const amount of ['10.01', '10.03', '10.08', '0.03']) {
  const refund = '-' + amount;
  console.log(`${amount}: to five cents ${money.roundTo5Cents(amount)}, up ${money.roundUpTo5Cents(amount)}; ${refund}: ${money.roundTo5Cents(refund)}, up ${money.roundUpTo5Cents(refund)}`);
}
for (const amount of ['1.16', '-1.16', '1.15', '-1.15', '0.05', '-0.05']) console.log(`half of ${amount}:`, money.mul(amount, '0.50'));
console.log('compare 10.00 and 9.00:', money.cmp('10.00', '9.00'));
JS
node run.mjs | tee out
diff out - <<'END'
money-math 2.6.3
10.01: to five cents 10.00, up 10.05; -10.01: -10.00, up -9.97
10.03: to five cents 10.05, up 10.05; -10.03: -9.95, up -10.01
10.08: to five cents 10.10, up 10.10; -10.08: -10.00, up -10.06
0.03: to five cents 0.05, up 0.05; -0.03: 0.05, up -0.01
half of 1.16: 0.58
half of -1.16: -0.58
half of 1.15: 0.58
half of -1.15: -0.56
half of 0.05: 0.03
half of -0.05: -0.01
compare 10.00 and 9.00: 100
END
