#!/usr/bin/env bash
# pycef 1.11 (PyPI), which reads events in CEF, the form that security tools send each other, here as cefevent 0.5.6 (PyPI) writes them.
# Behaviour: of an escaped bar in the event's name the part behind it is taken for the next field: severity is missing, the name is empty, and what follows runs together under a key that is no key.
# Escaped equals signs, backslashes and line breaks stay escaped in values. A custom field whose label is a known key (cs1Label=src) takes the place of that key's own value, which is then nowhere.
# Seen:   name "Login | failed = 3 times": name "", no severity, key "times|5|msg" / msg a=b: "a\=b" / cs1=proxy cs1Label=src src=10.0.0.1: src proxy
# Expected by most: the values as they went in.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pycef==1.11 cefevent==0.5.6
cat > run.py <<'PY'
import logging
import pycef
from cefevent import CEFEvent

logging.disable(logging.CRITICAL)
def write(**fields):
    event = CEFEvent()
    for name, value in {'deviceVendor': 'Example', 'deviceProduct': 'Gate', 'deviceVersion': '1', 'severity': 5, **fields}.items():
        event.set_field(name, value)
    return event.build_cef()

for fields in [
    {'name': 'Login failed', 'message': 'plain text', 'sourceAddress': '10.0.0.1'},
    {'name': 'Login | failed', 'message': 'plain text', 'sourceAddress': '10.0.0.1'},
    {'name': 'Login | failed = 3 times', 'message': 'plain text', 'sourceAddress': '10.0.0.1'},
    {'name': 'Login failed', 'message': 'a=b in C:\\logs\nnext', 'sourceAddress': '10.0.0.1'},
    {'name': 'Login failed', 'deviceCustomString1': 'proxy', 'deviceCustomString1Label': 'src', 'sourceAddress': '10.0.0.1'},
]:
    line = write(**fields)
    print(line)
    try:
        event = pycef.parse(line)
    except Exception as error:
        event = {'error': type(error).__name__}
    known = ('DeviceVendor', 'DeviceProduct', 'DeviceVersion', 'DeviceEventClassID', 'DeviceName', 'DeviceSeverity', 'CEFVersion')
    print('  ->', {name: value for name, value in event.items() if name not in known})
PY
env/bin/python -c "import importlib.metadata as m; print('pycef', m.version('pycef'), 'cefevent', m.version('cefevent'))"
env/bin/python run.py | tee out
diff out - <<'END'
CEF:0|Example|Gate|1|0|Login failed|5|msg=plain text src=10.0.0.1
  -> {'Name': 'Login failed', 'Severity': '5', 'msg': 'plain text', 'src': '10.0.0.1'}
CEF:0|Example|Gate|1|0|Login \| failed|5|msg=plain text src=10.0.0.1
  -> {'Name': '', 'failed|5|msg': 'plain text', 'src': '10.0.0.1'}
CEF:0|Example|Gate|1|0|Login \| failed = 3 times|5|msg=plain text src=10.0.0.1
  -> {'Name': '', 'times|5|msg': 'plain text', 'src': '10.0.0.1'}
CEF:0|Example|Gate|1|0|Login failed|5|msg=a\=b in C:\\logs\nnext src=10.0.0.1
  -> {'Name': 'Login failed', 'Severity': '5', 'msg': 'a\\=b in C:\\\\logs\\nnext', 'src': '10.0.0.1'}
CEF:0|Example|Gate|1|0|Login failed|5|cs1=proxy cs1Label=src src=10.0.0.1
  -> {'Name': 'Login failed', 'Severity': '5', 'src': 'proxy'}
END
