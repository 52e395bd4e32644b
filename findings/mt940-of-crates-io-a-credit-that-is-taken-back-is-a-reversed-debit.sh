#!/usr/bin/env bash
# mt940 1.1.1 (crates.io), parse_mt940(); the mark is that of field 61 of the SWIFT standard.
# Behaviour: SWIFT has the marks RC for the reversal of a credit, which takes money away, and RD for the reversal of a debit, which brings it back. The crate names
# RC "ReverseDebit" and RD "ReverseCredit", and nothing in its documents tells why. Who goes by the names adds what was taken away: the sum of the
# lines is off by twice the amount, and only the closing balance shows it.
# Seen:   RC = ReverseDebit, RD = ReverseCredit; by the names 0 + 100 (C) + 100 (RC) = 200, closing balance 0
# Expected by most: RC = ReverseCredit, RD = ReverseDebit.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
mt940 = "=1.1.1"
TOML
cat > src/main.rs <<'RS'
use mt940::{parse_mt940, ExtDebitOrCredit::*};

fn main() {
    for (marks, closing) in [(["C", "RC"], "C260105EUR0,"), (["D", "RD"], "C260105EUR0,"), (["C", "D"], "C260105EUR0,")] {
        let lines: Vec<_> = marks.iter().map(|mark| format!(":61:2601020102{mark}100,00NMSCref\r\n:86:text\r\n")).collect();
        let text = format!(":20:A\r\n:25:B/1\r\n:28C:1/1\r\n:60F:C260101EUR0,\r\n{}:62F:{closing}\r\n", lines.join(""));
        let found = &parse_mt940(&text).unwrap()[0];
        let mut sum = found.opening_balance.amount;
        for (mark, line) in marks.iter().zip(&found.statement_lines) {
            match line.ext_debit_credit_indicator {
                Credit | ReverseDebit => sum += line.amount,
                Debit | ReverseCredit => sum -= line.amount,
            }
            println!("{mark}: {:?} {}", line.ext_debit_credit_indicator, line.amount);
        }
        println!("    sum by the names {sum}, closing balance {}", found.closing_balance.amount);
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"mt940"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
C: Credit 100.00
RC: ReverseDebit 100.00
    sum by the names 200.00, closing balance 0
D: Debit 100.00
RD: ReverseCredit 100.00
    sum by the names -200.00, closing balance 0
C: Credit 100.00
D: Debit 100.00
    sum by the names 0.00, closing balance 0
END
