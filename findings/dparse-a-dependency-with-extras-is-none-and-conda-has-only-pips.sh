#!/usr/bin/env bash
# dparse 0.6.4 (PyPI), which reads the files that name a Python project's dependencies, for Safety, pyup and other checkers; dparse.parse(text, file_type=...).
# Behaviour: in a Pipfile an entry that is a table, as it must be for extras or markers, is left out; so are all of conda's own packages in conda.yml (only those under pip are there),
# a line of tox.ini for one Python, and a line of requirements.txt with an option behind it. No error, no note: such a file just has fewer dependencies. Its table of files says "yes" for all four.
# Seen:   sqlalchemy = {version = "==1.3", extras = ["asyncio"]}: not there / conda.yml with python, numpy, pandas and requests by pip: requests / flask==1.0 --config-settings ...: not there
# Expected by most: each package that the file names, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dparse==0.6.4 pyyaml==6.0.3
cat > run.py <<'PY'
import tomllib
import dparse

files = {
    'Pipfile': '[packages]\nrequests = "==2.0"\nsqlalchemy = {version = "==1.3", extras = ["asyncio"]}\n[dev-packages]\npywin32 = {version = "==1.0", markers = "os_name == \'nt\'"}\n',
    'conda.yml': 'dependencies:\n  - python=3.9\n  - numpy>=1.2\n  - conda-forge::pandas=1.3\n  - pip:\n    - requests==2.0\n',
    'tox.ini': '[testenv]\ndeps =\n  pytest>=3\n  py39: mock==1.0\n',
    'requirements.txt': 'django==4.2.1 # web\nflask==1.0 --config-settings="x=y"\nnumpy==1.2 ; python_version < "3.9"\n',
}
for name, text in files.items():
    found = [f'{one.name}{one.specs}' for one in dparse.parse(text, file_type=name).dependencies]
    print(f'{name}: {", ".join(found) or "nothing"}')
pipfile = tomllib.loads(files['Pipfile'])
print('Pipfile by tomllib:', ', '.join(f'{name}{value if isinstance(value, str) else value["version"]}' for part in ('packages', 'dev-packages') for name, value in pipfile[part].items()))
PY
env/bin/python -c "import importlib.metadata as m; print('dparse', m.version('dparse'))"
env/bin/python run.py | tee out
diff out - <<'END'
Pipfile: requests==2.0
conda.yml: requests==2.0
tox.ini: pytest>=3
requirements.txt: django==4.2.1, numpy==1.2
Pipfile by tomllib: requests==2.0, sqlalchemy==1.3, pywin32==1.0
END
