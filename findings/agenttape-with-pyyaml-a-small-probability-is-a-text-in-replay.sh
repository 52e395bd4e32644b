#!/usr/bin/env bash
# agenttape 0.1.8 (PyPI), a tool with the decorator, recorded and then replayed, without and with PyYAML 6.0.3.
# Behaviour: the README offers PyYAML to read large cassettes faster. With it the same cassette gives other values: a number that Python writes with an exponent and without a point
# is read as a text. 0.00001 is '1e-05', 1e16 is '1e+16', while 0.000015 stays a number since it has a point. A comparison that was right in the recorded run is a TypeError in replay.
# PyYAML is there without being asked for in most agent projects. In both cases None as a key is the text None, tuples are lists, and the words of an error get quotes once more.
# Seen:   without PyYAML 1e-05 float; with it '1e-05' str, from one and the same file
# Expected by most: the same values from the same file, whichever reader; the README promises the same output byte for byte.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agenttape==0.1.8
cat > run.py <<'PY'
import sys
import agenttape


@agenttape.tool
def scores():
    return {'p': 0.00001, 'q': 0.000015, 'big': 1e16, 'large': 1.5e16}


@agenttape.tool
def pairs():
    return {None: (1, 2)}


@agenttape.tool
def broken():
    raise KeyError('k')


with agenttape.use_cassette('scores', mode=sys.argv[1]):
    values = scores()
    print(sys.argv[1:], {name: (value, type(value).__name__) for name, value in values.items()})
    try:
        print('  p below 0.001:', values['p'] < 0.001, end=' ')
    except TypeError:
        print('  p below 0.001: TypeError', end=' ')
    print(pairs(), end=' ')
    try:
        broken()
    except KeyError as error:
        print(repr(error))
PY
{
  env/bin/python -c "import importlib.metadata as m; print('agenttape', m.version('agenttape'))"
  env/bin/python run.py record
  env/bin/python run.py none
  env/bin/pip install --quiet --disable-pip-version-check PyYAML==6.0.3
  env/bin/python run.py none 'with PyYAML'
} | tee out
diff out - <<'END'
agenttape 0.1.8
['record'] {'p': (1e-05, 'float'), 'q': (1.5e-05, 'float'), 'big': (1e+16, 'float'), 'large': (1.5e+16, 'float')}
  p below 0.001: True {None: (1, 2)} KeyError('k')
['none'] {'p': (1e-05, 'float'), 'q': (1.5e-05, 'float'), 'big': (1e+16, 'float'), 'large': (1.5e+16, 'float')}
  p below 0.001: True {'None': [1, 2]} KeyError("'k'")
['none', 'with PyYAML'] {'p': ('1e-05', 'str'), 'q': (1.5e-05, 'float'), 'big': ('1e+16', 'str'), 'large': (1.5e+16, 'float')}
  p below 0.001: TypeError {'None': [1, 2]} KeyError("'k'")
END
