#!/usr/bin/env bash
# univers 32.0.1 (PyPI), versions and ranges of many ecosystems, which tools for known weaknesses build on, and semantic-version 2.10.0 (PyPI) with its NpmSpec;
# beside them semver 7.7.3 (npm) and packaging 26.0 (PyPI), which npm and pip themselves use.
# Behaviour: in univers an npm range that names two numbers gets a third, 0: "1.2" is 1.2.0 alone, ">1.2" has 1.2.3 in it, "<=1.2" has not. An upper end lets in what comes before it: ^1.2.3 and <2 have 2.0.0-rc.1,
# which npm and pip leave out of both, and ">1.2" of PyPI has 1.2.post1. ~=1.2 and ==1.* of PyPI are refused. NpmSpec has 2.0.0-rc.1 in "<2.0.0" too.
# Seen:   npm 1.2: 1.2.0; npm itself 1.2.0 1.2.3 1.2.9 / npm ^1.2.3: with 2.0.0-rc.1 / pypi <2: with 2.0rc1
# Expected by most: what npm and pip choose.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund semver@7.7.3
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check univers==32.0.1 semantic-version==2.10.0 packaging==26.0
cat > run.py <<'PY'
import json
import subprocess
from packaging.specifiers import SpecifierSet
from semantic_version import NpmSpec, Version
from univers.version_range import NpmVersionRange, PypiVersionRange
from univers.versions import PypiVersion, SemverVersion

def univers(kind, version, text, versions):
    try:
        return [one for one in versions if version(one) in kind.from_native(text)]
    except Exception as error:
        return [type(error).__name__]

npm = ['1.0.0', '1.2.0', '1.2.3', '1.2.9', '1.3.0', '2.0.0-rc.1', '2.0.0']
for text in ['1.2', '>1.2', '<=1.2', '^1.2.3', '<2.0.0', '~1.2']:
    program = 'const [versions, text] = JSON.parse(process.argv[1]); console.log(versions.filter((one) => require("semver").satisfies(one, text)).join(" "))'
    true = subprocess.run(['node', '-e', program, json.dumps([npm, text])], capture_output=True, text=True, check=True).stdout.strip()
    print(f'npm {text}: {true}')
    print('  univers:', *univers(NpmVersionRange, SemverVersion, text, npm))
    print('  NpmSpec:', *[one for one in npm if NpmSpec(text).match(Version(one))])
pypi = ['1.0', '1.2', '1.2.post1', '1.2.5', '2.0rc1', '2.0']
for text in ['<2', '>1.2', '~=1.2', '==1.*', '>=1.0,<2']:
    print(f'pypi {text}:', *SpecifierSet(text).filter(pypi))
    print('  univers:', *univers(PypiVersionRange, PypiVersion, text, pypi))
PY
env/bin/python -c "import importlib.metadata as m; print('univers', m.version('univers'), 'semantic-version', m.version('semantic-version'))"
env/bin/python run.py | tee out
diff out - <<'END'
npm 1.2: 1.2.0 1.2.3 1.2.9
  univers: 1.2.0
  NpmSpec: 1.2.0 1.2.3 1.2.9
npm >1.2: 1.3.0 2.0.0
  univers: 1.2.3 1.2.9 1.3.0 2.0.0-rc.1 2.0.0
  NpmSpec: 1.3.0 2.0.0
npm <=1.2: 1.0.0 1.2.0 1.2.3 1.2.9
  univers: 1.0.0 1.2.0
  NpmSpec: 1.0.0 1.2.0 1.2.3 1.2.9
npm ^1.2.3: 1.2.3 1.2.9 1.3.0
  univers: 1.2.3 1.2.9 1.3.0 2.0.0-rc.1
  NpmSpec: 1.2.3 1.2.9 1.3.0
npm <2.0.0: 1.0.0 1.2.0 1.2.3 1.2.9 1.3.0
  univers: 1.0.0 1.2.0 1.2.3 1.2.9 1.3.0 2.0.0-rc.1
  NpmSpec: 1.0.0 1.2.0 1.2.3 1.2.9 1.3.0 2.0.0-rc.1
npm ~1.2: 1.2.0 1.2.3 1.2.9
  univers: 1.2.0 1.2.3 1.2.9
  NpmSpec: 1.2.0 1.2.3 1.2.9
pypi <2: 1.0 1.2 1.2.post1 1.2.5
  univers: 1.0 1.2 1.2.post1 1.2.5 2.0rc1
pypi >1.2: 1.2.5 2.0
  univers: 1.2.post1 1.2.5 2.0rc1 2.0
pypi ~=1.2: 1.2 1.2.post1 1.2.5
  univers: InvalidVersionRange
pypi ==1.*: 1.0 1.2 1.2.post1 1.2.5
  univers: InvalidVersionRange
pypi >=1.0,<2: 1.0 1.2 1.2.post1 1.2.5
  univers: 1.0 1.2 1.2.post1 1.2.5 2.0rc1
END
