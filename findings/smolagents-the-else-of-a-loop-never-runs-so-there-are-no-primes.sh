#!/usr/bin/env bash
# smolagents 1.26.0 (PyPI): LocalPythonExecutor, the interpreter that runs what a CodeAgent writes, by itself, beside Python's own exec.
# Behaviour: the else of a for or while loop is read and never run, without an error. The usual sieve of primes gives [], "not found" is never said, a retry that should give up does nothing. The else of try and of if runs.
# In an f-string !r, !s and !a have no effect, so that texts lose their quotes: what was meant to be JSON or Python is bare words.
# Seen:   primes below 20: []; a search without a hit: []; f"{name!r}" of Ann: Ann
# Expected by most: [2, 3, 5, ...], "not found", 'Ann' in quotes, or an error that says that it is not supported.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check smolagents==1.26.0
cat > run.py <<'PY'
import importlib.metadata
from smolagents.local_python_executor import LocalPythonExecutor

print('smolagents', importlib.metadata.version('smolagents'))
primes = '''
found = []
for number in range(2, 20):
    for prime in found:
        if number % prime == 0:
            break
    else:
        found.append(number)
result = found
'''
search = '''
said = []
for name in ["Ann", "Bob"]:
    if name == "Eve":
        break
else:
    said.append("not found")
result = said
'''
retry = '''
tries, said = 0, []
while tries < 3:
    tries += 1
else:
    said.append("gave up")
result = (tries, said)
'''
attempt = '''
said = []
try:
    number = int("5")
except ValueError:
    said.append("no number")
else:
    said.append("a number")
result = said
'''
quotes = '''
name = "Ann"
result = f"{name!r} {name!s:>5} {3!r}"
'''
for label, program in [('primes', primes), ('search', search), ('retry', retry), ('try', attempt), ('quotes', quotes)]:
    names = {}
    exec(program, names)
    executor = LocalPythonExecutor([])
    executor.send_tools({})
    print(label + ': python', names['result'], '/ smolagents', executor(program + '\nresult').output)
PY
env/bin/python run.py | tee out
diff out - <<'END'
smolagents 1.26.0
primes: python [2, 3, 5, 7, 11, 13, 17, 19] / smolagents []
search: python ['not found'] / smolagents []
retry: python (3, ['gave up']) / smolagents (3, [])
try: python ['a number'] / smolagents ['a number']
quotes: python 'Ann'   Ann 3 / smolagents Ann   Ann 3
END
