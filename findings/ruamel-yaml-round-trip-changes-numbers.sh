#!/usr/bin/env bash
# ruamel.yaml 0.19.1 (PyPI), the YAML library that keeps comments and layout; YAML() as it is, a text read and written without any change.
# Behaviour: numbers it keeps are not the numbers of the file. A float with more digits than the machine holds is written with as many digits as before, but
# other ones; a float with an underscore gets a zero instead (1_000.5 is 01000.5); 1e400 is .inf; the sign of +12 and -0 goes; a time loses all
# below a microsecond. Integers keep every digit and their underscores.
# Seen:   3.14159265358979323846: 3.14159265358979311600 / 20260102030405.123: 20260102030405.121 / 1_000.5: 01000.5 / 1_000: 1_000
# Expected by most: an untouched value is written as it stood.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ruamel.yaml==0.19.1
cat > run.py <<'PY'
import io
from ruamel.yaml import YAML

for value in ('3.14159265358979323846', '20260102030405.123', '0.10000000000000000', '1_000.5', '1_000', '12345678901234567890', '1e400', '+12', '2026-01-02 03:04:05.123456789'):
    yaml = YAML()
    written = io.StringIO()
    yaml.dump(yaml.load('a: ' + value + '\n'), written)
    print(value + ' -> ' + written.getvalue()[3:].strip())
PY
env/bin/python -c "import ruamel.yaml; print('ruamel.yaml', ruamel.yaml.__version__)"
env/bin/python run.py | tee out
diff out - <<'END'
3.14159265358979323846 -> 3.14159265358979311600
20260102030405.123 -> 20260102030405.121
0.10000000000000000 -> 0.10000000000000001
1_000.5 -> 01000.5
1_000 -> 1_000
12345678901234567890 -> 12345678901234567890
1e400 -> .inf
+12 -> 12
2026-01-02 03:04:05.123456789 -> 2026-01-02 03:04:05.123457
END
