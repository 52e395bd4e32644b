#!/usr/bin/env bash
# java-properties 1.0.2 and properties-reader 3.0.1 (npm); the file is written by javaproperties 0.8.2 (PyPI) and has some lines by hand, all plain for Java.
# Behaviour: neither reads what Java writes. Escaped spaces and colons in a name stay or divide it, so the value is not found. properties-reader undoes no
# escapes at all: backslashes are double, \u00e9 is six letters, a line that goes on is cut, and what goes on is a name of its own. A name before
# a colon is a name with the colon and the value in it. In both, a comment that begins with an exclamation mark is an entry.
# Seen:   "api key" = "a:b": none / none; C:\new: C:\new / C\:\\new; "b : 2": 2 / none; "! old": an entry in both
# Expected by most: the same entries as in Java, and as javaproperties reads them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check javaproperties==0.8.2
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts java-properties@1.0.2 properties-reader@3.0.1 2> /dev/null
cat > make.py <<'PY'
import javaproperties
written = javaproperties.dumps({'api key': 'a:b', 'urn:x': '1', 'folder': 'C:\\new', 'city': 'Orléans', 'text': 'one\ntwo'}, timestamp=False)
by_hand = '! old = 1\nb : 2\nhosts = one, \\\n    two\n'
with open('app.properties', 'w', encoding='latin-1') as file:
    file.write(written + by_hand)
print('javaproperties:', javaproperties.loads(written + by_hand))
PY
cat > run.mjs <<'JS'
import javaProperties from 'java-properties';
import { propertiesReader } from 'properties-reader';
console.log('java-properties:', JSON.stringify(javaProperties.of('app.properties').objs));
console.log('properties-reader:', JSON.stringify(Object.fromEntries(propertiesReader({ sourceFile: 'app.properties' }).entries())));
JS
for name in java-properties properties-reader; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
(env/bin/python make.py; cat app.properties; node run.mjs) | tee out
diff out - <<'END'
javaproperties: {'api key': 'a:b', 'urn:x': '1', 'folder': 'C:\\new', 'city': 'Orléans', 'text': 'one\ntwo', 'b': '2', 'hosts': 'one, two'}
api\ key=a\:b
urn\:x=1
folder=C\:\\new
city=Orl\u00e9ans
text=one\ntwo
! old = 1
b : 2
hosts = one, \
    two
java-properties: {"api\\ key":"a:b","urn\\":"x=1","folder":"C:\\new","city":"Orléans","text":"one\ntwo","! old":"1","b":"2","hosts":"one, two"}
properties-reader: {"api\\ key":"a\\:b","urn\\:x":"1","folder":"C\\:\\\\new","city":"Orl\\u00e9ans","text":"one\\ntwo","! old":"1","b : 2":"","hosts":"one, \\","two":""}
END
