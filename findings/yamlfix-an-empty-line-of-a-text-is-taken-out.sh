#!/usr/bin/env bash
# yamlfix 1.19.1 (PyPI), fix_code with its default settings.
# Behaviour: an empty line within a text of several lines (| or >) is taken out like one between two keys. A script, a mail, a certificate or a patch in
# the file then has fewer lines, and two paragraphs of a folded text become one. The data of the file changes, though only its looks were to be mended.
# Seen:   "first\n\nsecond\n" becomes "first\nsecond\n"
# Expected by most: the texts stay as they are; empty lines are only taken out between the keys.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check yamlfix==1.19.1 pyyaml==6.0.3
cat > fix.py <<'PY'
import importlib.metadata
import yaml
from yamlfix import fix_code

print('yamlfix', importlib.metadata.version('yamlfix'))
text = '''mail: |
  Dear all,

  the pump is down.


  Yours
folded: >
  first paragraph
  goes on

  second paragraph
script: |
  cat <<END
  a

  b
  END
quoted: "one

  two"
'''
before = yaml.safe_load(text)
after = yaml.safe_load(fix_code(text))
for key in before:
    print(key, '|', repr(before[key]), '|', 'same' if before[key] == after[key] else repr(after[key]))
PY
env/bin/python fix.py 2>/dev/null | tee out
diff out - <<'END'
yamlfix 1.19.1
mail | 'Dear all,\n\nthe pump is down.\n\n\nYours\n' | 'Dear all,\nthe pump is down.\nYours\n'
folded | 'first paragraph goes on\nsecond paragraph\n' | 'first paragraph goes on second paragraph\n'
script | 'cat <<END\na\n\nb\nEND\n' | 'cat <<END\na\nb\nEND\n'
quoted | 'one\ntwo' | same
END
