#!/usr/bin/env bash
# sarif-tools 3.0.5 (PyPI), a report in SARIF 2.1.0, the commands summary and csv with default settings.
# Behaviour: results count as errors though the tool or a reviewer has suppressed them (suppressions, accepted) or though they were in an older run and are
# gone (baselineState absent). So "error: 3" where one is open, and --check error ends with 3, a failed gate. That a rule was kept (kind pass) is a result too.
# A result without a place is given line 1 of a file called "-". Characters in a path stay encoded (a%20b.py), so there is no such file. The summary
# names a rule by the message of one of its results.
# Seen:   one open error, one suppressed, one gone: error: 3, R2: 2, exit code 3
# Expected by most: error: 1, with the others apart.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check sarif-tools==3.0.5
cat > make.py <<'PY'
import importlib.metadata
import json

print('sarif-tools', importlib.metadata.version('sarif-tools'))
place = [{'physicalLocation': {'artifactLocation': {'uri': 'src/a%20b.py'}, 'region': {'startLine': 3}}}]
results = [
    {'ruleId': 'R1', 'level': 'error', 'message': {'text': 'open'}, 'locations': place},
    {'ruleId': 'R2', 'level': 'error', 'message': {'text': 'accepted'}, 'locations': place, 'suppressions': [{'kind': 'inSource', 'status': 'accepted'}]},
    {'ruleId': 'R2', 'level': 'error', 'message': {'text': 'gone'}, 'baselineState': 'absent'},
    {'ruleId': 'R3', 'kind': 'pass', 'message': {'text': 'kept'}, 'locations': place},
]
rules = [{'id': name} for name in ('R1', 'R2', 'R3')]
with open('run.sarif', 'w') as file:
    json.dump({'version': '2.1.0', 'runs': [{'tool': {'driver': {'name': 'T', 'rules': rules}}, 'results': results}]}, file)
PY
env/bin/python make.py
code=0; env/bin/sarif --check error summary run.sarif > out || code=$?
echo "exit code $code" >> out
env/bin/sarif csv -o run.csv run.sarif > said
cat run.csv >> out; cat out
diff out - <<'END'

error: 3
 - R2 ...: 2
 - R1 open: 1

warning: 0

note: 0

none: 1
 - R3 kept: 1
exit code 3
Tool,Severity,Code,Description,Location,Line
T,error,R1,open,src/a%20b.py,3
T,error,R2,accepted,src/a%20b.py,3
T,error,R2,gone,-,1
T,none,R3,kept,src/a%20b.py,3
END
