#!/usr/bin/env bash
# smolagents 1.26.0 (PyPI): LocalPythonExecutor, the interpreter that runs what a CodeAgent writes, by itself, beside Python's own exec.
# Behaviour: functions take their arguments otherwise. *rest holds the named ones too, so that total(1, 2, 3) with first + sum(rest) is 7; **more holds the keywords that have a parameter of their own. A missing argument, one too many and an unknown
# keyword are no errors. A list as a default is new at each call. A function without return gives its last expression. [*a, 3] has the list as one item. Functions made in a comprehension keep their own number.
# Seen:   total(1, 2, 3) = 7; order("a", qty=2, note="x") has more = note, qty; f(1) of f(a, b) runs; [*[1, 2], 3] = [[1, 2], 3]
# Expected by most: as Python, or an error that says that a construct is not supported.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check smolagents==1.26.0
cat > run.py <<'PY'
import importlib.metadata
from smolagents.local_python_executor import LocalPythonExecutor

print('smolagents', importlib.metadata.version('smolagents'))
programs = {
    'def total(first, *rest): return first + sum(rest)': 'total(1, 2, 3)',
    'def parts(first, *rest): return rest': 'parts("a", "b", "c")',
    'def order(name, qty=1, **more): return sorted(more)': 'order("a", qty=2, note="x")',
    'def two(a, b): return a': 'two(1)',
    'def one(a): return a': 'one(1, 2, b=3)',
    'def keep(x, seen=[]): seen.append(x); return list(seen)': '[keep(1), keep(2)]',
    'def double(x): x * 2': 'double(3)',
    'first = [1, 2]': '[*first, 3]',
    'makers = [lambda: i for i in range(3)]': '[make() for make in makers]',
    'hits = []\ndef index():\n    hits.append(1)\n    return 0\nl = [5]\nl[index()] += 1': '(l, hits)',
}


def python(program, expression):
    names = {}
    exec(program, names)
    try:
        return repr(eval(expression, names))
    except TypeError:
        return 'TypeError'


def agent(program, expression):
    executor = LocalPythonExecutor([])
    executor.send_tools({})
    return repr(executor(program + '\n' + expression).output)


for program, expression in programs.items():
    print(program.splitlines()[0], '/', expression, '/ python', python(program, expression), '/ smolagents', agent(program, expression))
PY
env/bin/python run.py | tee out
diff out - <<'END'
smolagents 1.26.0
def total(first, *rest): return first + sum(rest) / total(1, 2, 3) / python 6 / smolagents 7
def parts(first, *rest): return rest / parts("a", "b", "c") / python ('b', 'c') / smolagents ('a', 'b', 'c')
def order(name, qty=1, **more): return sorted(more) / order("a", qty=2, note="x") / python ['note'] / smolagents ['note', 'qty']
def two(a, b): return a / two(1) / python TypeError / smolagents 1
def one(a): return a / one(1, 2, b=3) / python TypeError / smolagents 1
def keep(x, seen=[]): seen.append(x); return list(seen) / [keep(1), keep(2)] / python [[1], [1, 2]] / smolagents [[1], [2]]
def double(x): x * 2 / double(3) / python None / smolagents 6
first = [1, 2] / [*first, 3] / python [1, 2, 3] / smolagents [[1, 2], 3]
makers = [lambda: i for i in range(3)] / [make() for make in makers] / python [2, 2, 2] / smolagents [0, 1, 2]
hits = [] / (l, hits) / python ([6], [1]) / smolagents ([6], [1, 1])
END
