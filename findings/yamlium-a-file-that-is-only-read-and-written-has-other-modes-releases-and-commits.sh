#!/usr/bin/env bash
# yamlium 0.3.1 (PyPI), parse and to_yaml, nothing is changed in between.
# Behaviour: plain numbers are written anew: the file mode 0644 (which Kubernetes and YAML 1.1 read as octal) is 644, the image tag 1.10 is 1.1,
# the short commit 1234567e8 is 123456700000000.0, 1_000 is 1000 and the postal code 00501 is 501. Quoted values and 0x1F stay as they are.
# The same happens to all other lines when one value is set.
# Seen:   mode: 644 / tag: 1.1 / commit: 123456700000000.0
# Expected by most: the file as it was; its README speaks of keeping the structure and the comments of the file.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check yamlium==0.3.1
cat > write.py <<'PY'
import difflib
import importlib.metadata
import yamlium

print('yamlium', importlib.metadata.version('yamlium'))
text = """# volume
defaultMode: 0644
tag: 1.10
commit: 1234567e8
limit: 1_000
postcode: 00501
flags: 0x1F
large: 12345678901234567890
quoted: '1.10'
list: [1.10, 0755]
"""
def show(before, after):
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm='', n=0):
        if not line.startswith(('---', '+++', '@@')):
            print('  ', line)
print('read and written')
show(text, yamlium.parse(text).to_yaml())
document = yamlium.parse(text)
document['large'] = 5
print('only "large" was set')
show(text, document.to_yaml())
PY
env/bin/python write.py | tee out
diff out - <<'END'
yamlium 0.3.1
read and written
   -defaultMode: 0644
   -tag: 1.10
   -commit: 1234567e8
   -limit: 1_000
   -postcode: 00501
   +defaultMode: 644
   +tag: 1.1
   +commit: 123456700000000.0
   +limit: 1000
   +postcode: 501
   -list: [1.10, 0755]
   +list: [1.1, 755]
only "large" was set
   -defaultMode: 0644
   -tag: 1.10
   -commit: 1234567e8
   -limit: 1_000
   -postcode: 00501
   +defaultMode: 644
   +tag: 1.1
   +commit: 123456700000000.0
   +limit: 1000
   +postcode: 501
   -large: 12345678901234567890
   +large: 5
   -list: [1.10, 0755]
   +list: [1.1, 755]
END
