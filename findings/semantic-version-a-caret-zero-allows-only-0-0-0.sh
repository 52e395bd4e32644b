#!/usr/bin/env bash
# semantic-version 2.10.0 (PyPI), its own notation SimpleSpec beside its NpmSpec.
# Behaviour: what is left out behind a caret counts as zero that must stay, so ^0 allows 0.0.0 alone and refuses 0.5.0, and ^0.0 refuses 0.0.9; NpmSpec, Cargo and
# npm allow them. A test version of a later minor release is within ^1.2.3 for SimpleSpec and not for NpmSpec; for <2 it is the other way round.
# Seen:   ^0 of 0.5.0: False, NpmSpec True / ^1.2.3 of 1.3.0-beta: True, NpmSpec False / <2 of 2.0.0-rc.1: False, NpmSpec True
# Expected by most: ^0 is below 1.0.0; both classes of one package agree on plain carets; 2.0.0-rc.1 is in neither.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check semantic-version==2.10.0
cat > run.py <<'PY'
import importlib.metadata
from semantic_version import NpmSpec, SimpleSpec, Version

print('semantic-version', importlib.metadata.version('semantic-version'))
for spec, version in [('^0', '0.0.0'), ('^0', '0.0.1'), ('^0', '0.5.0'), ('^0.0', '0.0.9'), ('~0', '0.5.0'), ('^1', '1.5.0'), ('^1.2.3', '1.3.0-beta'), ('<2', '2.0.0-rc.1')]:
    print(spec, 'of', version + ':', 'SimpleSpec', SimpleSpec(spec).match(Version(version)), 'NpmSpec', NpmSpec(spec).match(Version(version)))
PY
env/bin/python run.py | tee out
diff out - <<'END'
semantic-version 2.10.0
^0 of 0.0.0: SimpleSpec True NpmSpec True
^0 of 0.0.1: SimpleSpec False NpmSpec True
^0 of 0.5.0: SimpleSpec False NpmSpec True
^0.0 of 0.0.9: SimpleSpec False NpmSpec True
~0 of 0.5.0: SimpleSpec True NpmSpec True
^1 of 1.5.0: SimpleSpec True NpmSpec True
^1.2.3 of 1.3.0-beta: SimpleSpec True NpmSpec False
<2 of 2.0.0-rc.1: SimpleSpec False NpmSpec True
END
