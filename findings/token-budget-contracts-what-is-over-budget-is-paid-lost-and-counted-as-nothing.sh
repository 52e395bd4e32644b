#!/usr/bin/env bash
# token-budget-contracts 0.3.0 (PyPI), BudgetManager with govern and record_usage.
# Behaviour: govern calls the function first and counts afterwards. When the answer is over the budget, the error comes instead of the answer, and the tokens that were used are counted as 0.
# So the next call is made as well, and the one after it: the cap never closes. record_usage of tokens that were really used does the same.
# Before the error the other agents have lent all they may. The lender has lost it, though the call that it was for is not in the books. To register an agent again fills its budget anew, and the sum grows.
# The confidence threshold stops no record_usage, although the README says that it enforces the contract.
# Seen:   cap 10, three calls of 66 tokens: three calls made, three errors, consumed 0 / 5000 used: error, the lender goes from 1000 to 100, consumed 0
# Expected by most: no call once the budget is gone; used tokens are counted; nothing is lent for what was refused.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check token-budget-contracts==0.3.0
cat > run.py <<'PY'
import importlib.metadata
from tbcontracts import BudgetExceededError, BudgetManager

print('token-budget-contracts', importlib.metadata.version('token-budget-contracts'))


def books(manager):
    return ', '.join(f"{name} {row['consumed']} of {row['allocated']}" for name, row in manager.report().items())


def use(manager, *values, **options):
    try:
        manager.record_usage(*values, **options)
        return 'counted'
    except BudgetExceededError:
        return 'BudgetExceededError'


manager = BudgetManager()
manager.register_agent('writer', priority=1, max_tokens=10)
made = []


@manager.govern('writer')
def write(prompt):
    made.append(prompt)
    return 'word ' * 50


for prompt in ('first', 'second', 'third'):
    try:
        print(prompt, '->', len(write(prompt)))
    except BudgetExceededError:
        print(prompt, '-> BudgetExceededError | calls made', len(made), '|', books(manager))

manager = BudgetManager()
manager.register_agent('boss', priority=3, max_tokens=1000)
manager.register_agent('clerk', priority=1, max_tokens=1000)
print('boss used 5000:', use(manager, 'boss', 5000), '|', books(manager))
print('clerk used 150:', use(manager, 'clerk', 150), '|', books(manager))
manager.register_agent('clerk', priority=1, max_tokens=1000)
print('clerk registered again:', books(manager))

manager = BudgetManager()
manager.register_agent('checker', priority=2, max_tokens=3000, confidence_threshold=0.85)
print('sure:', use(manager, 'checker', 10, confidence=0.9), '| next:', use(manager, 'checker', 10), '|', books(manager))
PY
env/bin/python run.py | tee out
diff out - <<'END'
token-budget-contracts 0.3.0
first -> BudgetExceededError | calls made 1 | writer 0 of 10
second -> BudgetExceededError | calls made 2 | writer 0 of 10
third -> BudgetExceededError | calls made 3 | writer 0 of 10
boss used 5000: BudgetExceededError | boss 0 of 1900, clerk 0 of 100
clerk used 150: BudgetExceededError | boss 0 of 1900, clerk 0 of 100
clerk registered again: boss 0 of 1900, clerk 0 of 1000
sure: counted | next: counted | checker 20 of 3000
END
