#!/usr/bin/env bash
# euredact 0.7.0 (PyPI), redact with the rules it has by default.
# Behaviour: any @word is a handle of a social network. In code all decorators and all scoped npm packages become [SOCIAL_HANDLE], so a model gets a program without them.
# Two numbers with four decimals and a comma between are a place on earth (a median and a quartile too); a batch number of nine digits that passes a checksum is a national number;
# a version of four parts is an IP address; six numbers of two digits with colons are a MAC address.
# Seen:   @app.route("/users") -> [SOCIAL_HANDLE]("/users") / median 50.0000, 75.0000 -> median [GPS_COORDINATES] / npm i @babel/core -> npm i [SOCIAL_HANDLE]/core
# Expected by most: code and figures as they were; the README says that filters take false hits out again.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check euredact==0.7.0
cat > run.py <<'PY'
import importlib.metadata
import euredact

print('euredact', importlib.metadata.version('euredact'))
code = '''@dataclass
class User:
    @property
    def name(self): ...
@app.route("/users")
def users(): ...
'''
print(euredact.redact(code).redacted_text.rstrip())
for text in (
    'npm i @babel/core @types/node',
    'median 50.0000, 75.0000 of all runs',
    'batch 111222333 passed',
    'Driver version 10.2.3.4 is installed',
    'steps 10:20:30:40:50:60',
):
    print(text, '->', euredact.redact(text).redacted_text)
print('with an allowlist:', euredact.redact('@dataclass and @app.route("/users")', allowlist=['@dataclass', '@app.route']).redacted_text)
PY
env/bin/python run.py | tee out
diff out - <<'END'
euredact 0.7.0
[SOCIAL_HANDLE]
class User:
    [SOCIAL_HANDLE]
    def name(self): ...
[SOCIAL_HANDLE]("/users")
def users(): ...
npm i @babel/core @types/node -> npm i [SOCIAL_HANDLE]/core [SOCIAL_HANDLE]/node
median 50.0000, 75.0000 of all runs -> median [GPS_COORDINATES] of all runs
batch 111222333 passed -> batch [NATIONAL_ID] passed
Driver version 10.2.3.4 is installed -> Driver version [IP_ADDRESS] is installed
steps 10:20:30:40:50:60 -> steps [MAC_ADDRESS]
with an allowlist: @dataclass and @app.route("/users")
END
