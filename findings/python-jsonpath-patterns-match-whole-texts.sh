#!/usr/bin/env bash
# python-jsonpath 2.2.2 and jsonpath-ng 1.16.0 (PyPI): the operator =~ of filters, which is in no standard.
# Behaviour: one and the same path finds other records. In python-jsonpath the pattern must match the whole text, so =~ /timeout/ finds only "timeout"
# and neither "timeout after 5 s" nor "read timeout", although the RFC's own function for that is called match and the one that searches search;
# jsonpath-ng searches. No word is said in either.
# Seen:   =~ timeout over "timeout", "timeout after 5 s", "read timeout": python-jsonpath 1, jsonpath-ng 3
# Expected by most: the pattern is searched for, as in jq's test, JavaScript and Perl, where the operator is from.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check python-jsonpath==2.2.2 jsonpath-ng==1.16.0
cat > run.py <<'PY'
import importlib.metadata
import sys
import jsonpath
import jsonpath_ng.ext

print(*(name + ' ' + importlib.metadata.version(name) for name in ('python-jsonpath', 'jsonpath-ng')), file=sys.stderr)
data = {'log': [{'m': 'timeout'}, {'m': 'timeout after 5 s'}, {'m': 'read timeout'}, {'m': 'Timeout'}, {'m': 500}]}
for pattern in ['timeout', '.*timeout', 'timeout.*', '^timeout$', '5']:
    print(pattern)
    print('    python-jsonpath', jsonpath.findall(f'$.log[?@.m =~ /{pattern}/].m', data))
    print('    jsonpath-ng    ', [match.value for match in jsonpath_ng.ext.parse(f'$.log[?(@.m =~ "{pattern}")].m').find(data)])
PY
env/bin/python run.py | tee out
diff out - <<'END'
timeout
    python-jsonpath ['timeout']
    jsonpath-ng     ['timeout', 'timeout after 5 s', 'read timeout']
.*timeout
    python-jsonpath ['timeout', 'read timeout']
    jsonpath-ng     ['timeout', 'timeout after 5 s', 'read timeout']
timeout.*
    python-jsonpath ['timeout', 'timeout after 5 s']
    jsonpath-ng     ['timeout', 'timeout after 5 s', 'read timeout']
^timeout$
    python-jsonpath ['timeout']
    jsonpath-ng     ['timeout']
5
    python-jsonpath []
    jsonpath-ng     ['timeout after 5 s']
END
