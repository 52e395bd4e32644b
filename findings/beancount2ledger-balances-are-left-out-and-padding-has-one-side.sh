#!/usr/bin/env bash
# beancount2ledger 1.3 (PyPI) with beancount 3.2.3 and pyyaml 6.0.4 (PyPI), which makes a journal for ledger of a beancount file, default settings.
# Behaviour: the lines "balance", with which a bookkeeper pins what the bank says, are neither an assertion nor a remark in the journal; they are nowhere. A balance that is wrong is not told either, and the exit code is 0. What "pad" fills in
# is written as an entry with one side only, which does not balance: money comes from nowhere. A bought lot has no date, the sold lot has one, so the two are not the same lot.
# Seen:   balance Assets:Cash 100.00 USD: nothing / balance … 99.00 USD, which is false: nothing, exit code 0 / pad: one posting of 150.00 USD
# Expected by most: an assertion for each balance, or a word about what is left out; both sides.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check beancount2ledger==1.3 beancount==3.2.3 pyyaml==6.0.4
cat > padded.beancount <<'B'
2026-01-01 open Assets:Cash
2026-01-01 open Assets:Stock
2026-01-01 open Equity:Opening
2026-01-01 open Income:Gain
2026-01-01 pad Assets:Cash Equity:Opening
2026-01-02 * "Buy"
  Assets:Stock   10 ABC {5.00 USD}
  Assets:Cash   -50.00 USD
2026-01-03 balance Assets:Cash 100.00 USD
2026-01-04 * "Sell"
  Assets:Stock   -5 ABC {5.00 USD} @ 6.00 USD
  Assets:Cash    30.00 USD
  Income:Gain
B
cat > wrong.beancount <<'B'
2026-01-01 open Assets:Cash
2026-01-01 open Equity:Opening
2026-01-02 * "In"
  Assets:Cash      100.00 USD
  Equity:Opening  -100.00 USD
2026-01-03 balance Assets:Cash 99.00 USD
B
{
  env/bin/python -c "import importlib.metadata as m; print('beancount2ledger', m.version('beancount2ledger'), 'beancount', m.version('beancount'))"
  for name in padded wrong; do
    echo "== $name"
    env/bin/beancount2ledger $name.beancount 2>&1 | grep -v '^account' | grep -v '^$' | tr -s ' '
    echo "exit ${PIPESTATUS[0]}, lines with balance: $(env/bin/beancount2ledger $name.beancount 2>&1 | grep -c -i '^.*balance Assets' || true)"
  done
} | tee out
diff out - <<'END'
beancount2ledger 1.3 beancount 3.2.3
== padded
;; Pad: 2026-01-01 Assets:Cash Equity:Opening
2026-01-01 (Padding inserted for Balance of 100.00 USD for difference 150.00 USD)
 Assets:Cash 150.00 USD
2026-01-02 * Buy
 Assets:Stock 10 ABC {5.00 USD}
 Assets:Cash -50.00 USD
2026-01-04 * Sell
 Assets:Stock -5 ABC {5.00 USD} [2026-01-02] @ 6.00 USD
 Assets:Cash 30.00 USD
 Income:Gain
exit 0, lines with balance: 0
== wrong
2026-01-02 * In
 Assets:Cash 100.00 USD
 Equity:Opening -100.00 USD
exit 0, lines with balance: 0
END
