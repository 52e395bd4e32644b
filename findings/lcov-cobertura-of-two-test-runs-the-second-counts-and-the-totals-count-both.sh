#!/usr/bin/env bash
# lcov-cobertura 2.1.1 (PyPI), which makes Cobertura's XML of LCOV for GitLab, Jenkins and other readers of coverage; LCOV of two test runs in one file, as lcov itself and "cat" write it.
# Behaviour: a file that has two sections (two tests, TN) is not added up. Its class has the hits of the last section alone: lines that the first test ran are lines not run. The totals of the report,
# though, count the lines of both sections: 6 lines where the file has 3, and a rate that fits neither.
# Seen:   unit runs lines 1 and 2, integration line 3: line-rate of the file 0.333, lines-valid 6, lines-covered 3, line-rate of all 0.5
# Expected by most: 3 of 3 lines, rate 1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check lcov-cobertura==2.1.1
cat > run.py <<'PY'
import xml.etree.ElementTree as tree
from lcov_cobertura import LcovCobertura

unit = 'TN:unit\nSF:src/a.py\nDA:1,5\nDA:2,5\nDA:3,0\nLF:3\nLH:2\nend_of_record\n'
integration = 'TN:integration\nSF:src/a.py\nDA:1,0\nDA:2,0\nDA:3,1\nLF:3\nLH:1\nend_of_record\n'
added = 'TN:\nSF:src/a.py\nDA:1,5\nDA:2,5\nDA:3,1\nLF:3\nLH:3\nend_of_record\n'
for name, text in [('unit', unit), ('integration', integration), ('unit, then integration', unit + integration), ('integration, then unit', integration + unit), ('added up before', added)]:
    report = tree.fromstring(LcovCobertura(text).convert())
    file = report.find('.//class')
    hits = ' '.join(f'{line.get("number")}:{line.get("hits")}' for line in file.iter('line'))
    print(f'{name}: file line-rate {file.get("line-rate")[:5]}, hits {hits}; report lines-covered {report.get("lines-covered")}, lines-valid {report.get("lines-valid")}, line-rate {report.get("line-rate")[:5]}')
PY
env/bin/python -c "import importlib.metadata as m; print('lcov-cobertura', m.version('lcov-cobertura'))"
env/bin/python run.py | tee out
diff out - <<'END'
unit: file line-rate 0.666, hits 1:5 2:5 3:0; report lines-covered 2, lines-valid 3, line-rate 0.666
integration: file line-rate 0.333, hits 1:0 2:0 3:1; report lines-covered 1, lines-valid 3, line-rate 0.333
unit, then integration: file line-rate 0.333, hits 1:0 2:0 3:1; report lines-covered 3, lines-valid 6, line-rate 0.5
integration, then unit: file line-rate 0.666, hits 1:5 2:5 3:0; report lines-covered 3, lines-valid 6, line-rate 0.5
added up before: file line-rate 1.0, hits 1:5 2:5 3:1; report lines-covered 3, lines-valid 3, line-rate 1.0
END
